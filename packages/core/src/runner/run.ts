import type { Event } from '../events/event.js';
import type { PendingRequest } from '../events/pending-request.js';
import type { OutputInvalidError, RunFailedError, RunPausedError } from './errors.js';

/**
 * A message under way. Iterate it for its events, await it for its {@link RunResult}, or both:
 *
 * ```ts
 * for await (const event of runner.run({ message })) show(event);
 * const { text, pending } = await runner.run({ message });
 * const report = await runner.run({ message }).output;
 * ```
 *
 * A run begins when its first event is asked for, or else by itself as soon as the caller gives way: a run that nobody
 * reads happens all the same, and an error that ends it unheard is logged. The reader sets the pace: each event is made
 * when it is asked for. If there is no reader, if other runs wait for the session, or if the runner closes, the run goes
 * on alone and keeps its events until they are read: up to 1,000, and no pieces of streamed answers beyond that. A
 * reader that stops (`break`, `return`) cancels the run.
 */
export interface Run<Output = string>
  extends AsyncGenerator<Event, void, undefined>, Promise<RunResult<Output>> {
  readonly invocationId: string;
  /**
   * The text of the answer. The result of a tool that skips summarization counts as one.
   *
   * @throws {RunPausedError} if somebody has to be asked first
   * @throws {RunFailedError} if the run ended without an answer
   */
  readonly text: Promise<string>;
  /**
   * The parsed and checked answer if its agent has an `outputSchema`, else its text.
   *
   * @throws {RunPausedError} if somebody has to be asked first
   * @throws {RunFailedError} if the run ended without an answer
   * @throws {OutputInvalidError} if the answer does not fit the `outputSchema`
   */
  readonly output: Promise<Output>;
  /** Ends the run with an event `CANCELLED`. */
  cancel(): void;
}

/** How a run ended. */
export interface RunResult<Output = string> {
  /** `paused`: somebody has to answer a request first. `failed`: there is no answer; `error` says why. */
  readonly status: 'answered' | 'paused' | 'failed';
  /** The text of the last answer, empty if there is none. */
  readonly text: string;
  /** The parsed and checked answer if its agent has an `outputSchema`, else its text. Undefined unless `answered`. */
  readonly output: Output | undefined;
  /** The requests that the run made and that wait for an answer. */
  readonly pending: readonly PendingRequest[];
  /** What `text`, `output` and `runner.ask` throw. Undefined if `answered`. */
  readonly error: RunPausedError | RunFailedError | OutputInvalidError | undefined;
  /** The events of the run, oldest first, without the pieces of streamed answers. */
  readonly events: readonly Event[];
  /** With `userId` and `sessionId` the key of the session: `runner.sessions.getSession(result)`. */
  readonly appName: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly invocationId: string;
}
