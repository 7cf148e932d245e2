import type { Logger, Message, Runner } from '@adorn/core';
import type { PrincipalInput } from '@adorn/core/backend';

/** A request as it came: its body is not parsed, because its bytes are what was signed. */
export interface RawRequest {
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** What a server gives an endpoint. */
export interface EndpointHost {
  readonly runner: Runner<unknown>;
  readonly logger: Logger;
}

/** A path that a server answers by POST: `adornHandler(runner, { endpoints: [endpoint] })`. It checks itself who sent a request. */
export interface Endpoint {
  /** Below the `basePath` of the server, such as `/hooks/stripe`. */
  readonly path: string;
  /** The application that it is for. Default: the only one of the server. */
  readonly app?: string | undefined;
  /** Answers a request. What it throws is answered by the server. */
  receive(request: RawRequest, host: EndpointHost): Promise<Response>;
  /** Called when the server starts. The function that it returns is called when the server closes. */
  open?(host: EndpointHost): () => Promise<void>;
}

/** Where runs begin on many machines: what `openFleet` of `@adorn/fleet` returns. */
export interface MessageFleet {
  submit(submission: {
    readonly userId: string;
    readonly sessionId: string;
    readonly invocationId: string;
    readonly message: Message;
    readonly by: PrincipalInput;
    readonly channel: string;
  }): Promise<unknown>;
}

/** A message from outside, for a session. */
export interface OutsideMessage {
  /** The same if it is delivered again: it is the id of its run. */
  readonly id: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly message: Message;
  readonly by: PrincipalInput;
  /** The channel in the log, such as `slack`. */
  readonly channel: string;
}

/**
 * Stores a message and has its run begin, after a run that is open in its session. When this returns, the message is not lost: another
 * process, or `recover`, begins its run. A message that was stored before, and one that was read, is not run again.
 */
export async function sendOnce(
  { id, userId, sessionId, message, by, channel }: OutsideMessage,
  runner: Runner<unknown>,
  fleet: MessageFleet | undefined,
): Promise<void> {
  if (fleet) await fleet.submit({ userId, sessionId, invocationId: id, message, by, channel });
  else await runner.send({ userId, sessionId }, message, { id, when: 'next', by, channel });
}
