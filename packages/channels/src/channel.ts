import type { PendingRequest } from '@adorn/core';
import type { Awaitable } from '@adorn/core/backend';

import type { RawRequest } from './endpoint.js';

/** A thread of a channel, which is a session. */
export interface Thread {
  /** Where it is, such as a workspace and a conversation: the user of the session. Without `/`. */
  readonly place: string;
  /** Which one it is there. */
  readonly id: string;
}

/** Somebody at a platform, as its signed request says. */
export interface ChannelPerson {
  /** The id at the platform, such as `U012AB3CD`. */
  readonly id: string;
  /** The workspace, or the like, that the id is of. */
  readonly team: string;
}

/** What somebody wrote. */
export interface ChannelMessage {
  readonly kind: 'message';
  /** The same if the platform delivers it again. */
  readonly id: string;
  readonly thread: Thread;
  readonly person: ChannelPerson;
  readonly text: string;
  /** False for what was said among people: it is read only in a thread that the agent has been called into. */
  readonly isAddressed: boolean;
}

/** Somebody has pressed a button of a card. */
export interface ChannelPress {
  readonly kind: 'press';
  readonly thread: Thread;
  readonly person: ChannelPerson;
  /** The id of the request that the card shows. */
  readonly requestId: string;
  readonly isApproved: boolean;
}

/** A request that concerns no session, such as a handshake or a message of a bot. */
export interface ChannelReply {
  readonly kind: 'reply';
  readonly response: Response;
}

/** What a request of a platform says. */
export type Inbound = ChannelMessage | ChannelPress | ChannelReply;

/** A message at the platform, which can be edited. As JSON. */
export type PostedMessage = Readonly<Record<string, string>>;

/** What a platform does: the part of a channel that differs between Slack, e-mail and others. */
export interface Channel {
  /** In the ids of sessions and runs, and in the log, such as `slack`: letters. */
  readonly name: string;
  /**
   * Reads a request that the platform has signed.
   *
   * @param now in seconds since 1970
   * @throws {DeliveryRefusedError}
   */
  read(request: RawRequest, now: number): Awaitable<Inbound>;
  /** Writes into a thread. @throws {ChannelFailedError} */
  post(thread: Thread, text: string): Promise<PostedMessage>;
  /** Shows a request with buttons to press. @throws {ChannelFailedError} */
  postCard(thread: Thread, request: PendingRequest): Promise<PostedMessage>;
  /** Replaces a card by a text without buttons. @throws {ChannelFailedError} */
  edit(posted: PostedMessage, text: string): Promise<void>;
  /** Tells one person of a thread something that the others do not see. @throws {ChannelFailedError} */
  tell(thread: Thread, person: ChannelPerson, text: string): Promise<void>;
}
