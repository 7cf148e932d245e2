import type { PendingRequest } from '@adorn/core';
import type { Awaitable } from '@adorn/core/backend';

import type { RawRequest } from './endpoint.js';

/** A thread of a channel, which is a session. */
export interface Thread {
  /** Where it is, or whose: the user of the session. Whoever reads one thread of a place may know of the others. */
  readonly place: string;
  /** Which one it is there. Without `/`. */
  readonly id: string;
}

/** Somebody at a platform, as the platform has verified. */
export interface ChannelPerson {
  /** The id at the platform, such as `U012AB3CD` or `ada@example.com`. */
  readonly id: string;
  /** Whose id it is: the workspace, domain or the like that knows the person. */
  readonly organization: string;
}

/** What a platform needs to know of a message to answer or replace it, such as where it is. As JSON. */
export type MessageReference = Readonly<Record<string, string>>;

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
  /** Given to `post` and `ask` for what answers the message. Default: the thread is enough to answer. */
  readonly reference?: MessageReference;
}

/** Somebody has answered a question. */
export interface ChannelAnswer {
  readonly kind: 'answer';
  readonly thread: Thread;
  readonly person: ChannelPerson;
  /** The id of the request that the question shows. */
  readonly requestId: string;
  /** Undefined for an answer that is neither: the person is told how to answer. */
  readonly isApproved: boolean | undefined;
  /** Given to `tell`. */
  readonly reference?: MessageReference;
}

/** A request that concerns no session, such as a handshake. */
export interface ChannelResponse {
  readonly kind: 'response';
  readonly response: Response;
}

/** A request that nobody reads, such as a message of a bot. It is answered with 200, and the reason is logged. */
export interface IgnoredRequest {
  readonly kind: 'ignored';
  /** Why, as a clause: `its sender is not verified`. */
  readonly why: string;
}

/** What a request of a platform says. */
export type Inbound = ChannelMessage | ChannelAnswer | ChannelResponse | IgnoredRequest;

/** What is written into a thread. */
export interface OutgoingMessage {
  /** The same if it is written again, because a process died while it wrote: a platform may show it once by this. */
  readonly id: string;
  readonly text: string;
  /** The `reference` of the message that it answers, if the platform has given one. */
  readonly answers: MessageReference | undefined;
}

/** What a platform does: the part of a channel that differs between platforms. */
export interface Channel {
  /** In the ids of sessions and runs, and in the log, such as `slack`: letters. */
  readonly name: string;
  /**
   * Reads a request, and checks that the platform has sent it.
   *
   * @param now in seconds since 1970
   * @throws {DeliveryRefusedError}
   */
  read(request: RawRequest, now: number): Awaitable<Inbound>;
  /** How a person answers a question, as a sentence: `Press a button.` */
  readonly howToAnswer: string;
  /** Writes the answer of a run into a thread. @throws {ChannelFailedError} */
  post(thread: Thread, message: OutgoingMessage): Promise<void>;
  /**
   * Asks whether a call may run.
   *
   * @param answers the `reference` of the message that began the run, if the platform has given one
   * @returns what `closeQuestion` is given
   * @throws {ChannelFailedError}
   */
  ask(
    thread: Thread,
    request: PendingRequest,
    answers: MessageReference | undefined,
  ): Promise<MessageReference>;
  /** Shows that a question is answered. Absent where what was sent cannot be changed. @throws {ChannelFailedError} */
  closeQuestion?(question: MessageReference, text: string): Promise<void>;
  /**
   * Tells one person of a thread something that the others do not see.
   *
   * @param answers the `reference` of what the person wrote, if the platform has given one
   * @throws {ChannelFailedError}
   */
  tell(
    thread: Thread,
    person: ChannelPerson,
    text: string,
    answers: MessageReference | undefined,
  ): Promise<void>;
}
