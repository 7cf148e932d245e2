import { callerOf } from '../events/caller.js';
import { runPathOf } from '../events/event-place.js';
import { responseTextOf, Event, isRetried } from '../events/event.js';
import { type PendingRequest, pendingRequest } from '../events/pending-request.js';
import type { SessionKey } from '../events/session.js';
import { type AgentNode, agentOf, isOfCalled } from '../run/agent-node.js';
import type { AgentResult } from '../run/agent-result.js';
import { isCancelledEnd } from '../run/cancellation.js';
import type { OpenRequest } from '../log/pending-call-index.js';
import { type UndoReport, undoText } from './undo/undo-report.js';
import { OutputInvalidError, RunFailedError, RunPausedError } from './errors.js';

/**
 * The run of a message. Iterate it for its events, await it for its {@link RunResult}, or both:
 *
 * ```ts
 * for await (const event of runner.run({ message })) show(event);
 * const { text, pending } = await runner.run({ message });
 * const report = await runner.run({ message }).output;
 * ```
 *
 * A run begins when its first event is requested, or by itself after the current synchronous code: a run without a reader
 * is executed too, and an error that nobody reads is logged. The reader sets the pace: each event is made when it is
 * requested. If there is no reader, if other runs wait for the session, or if the runner closes, the run continues on its
 * own and buffers its events until they are read: up to 1,000, and no pieces of streamed answers beyond that. A reader
 * that stops (`break`, `return`) cancels the run.
 */
export interface Run<Output = string>
  extends AsyncGenerator<Event, void, undefined>, Promise<RunResult<Output>> {
  /** Known before the run begins. */
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
  /** The requests that wait for an answer, of the run and of those that it continues, oldest first. */
  readonly pending: readonly PendingRequest[];
  /** What `text`, `output` and `runner.ask` throw for a failed run. Undefined unless `failed`. */
  readonly error: RunFailedError | OutputInvalidError | undefined;
  /** What has become of the calls of an undo. Undefined unless the run is an undo, or goes on with one. */
  readonly undo?: UndoReport | undefined;
  /** The events of the run, oldest first, without the pieces of streamed answers. */
  readonly events: readonly Event[];
  /** With `userId` and `sessionId` the key of the session: `runner.sessions.getSession(result)`. */
  readonly appName: string;
  /** The user of the session. */
  readonly userId: string;
  /** The id of the session: generated, if the input had none. */
  readonly sessionId: string;
  /** The id of the run, and of its events. */
  readonly invocationId: string;
}

/** How a run ended: its address, its open requests, and the value of its composite. */
export interface RunOutcome {
  readonly root: AgentNode;
  readonly key: SessionKey;
  readonly invocationId: string;
  /** The result of the composite with which the run began. */
  readonly concluded?: AgentResult<unknown> | undefined;
  /** Of an undo. */
  readonly undo?: UndoReport | undefined;
  /** The open requests of the run, and of the runs that it continues. */
  readonly waiting: readonly OpenRequest[];
}

/** The result of a run that has ended, from its events. */
export async function resultOf<Output>(
  events: readonly Event[],
  { root, key, invocationId, concluded, undo, waiting }: RunOutcome,
): Promise<RunResult<Output>> {
  const { appName, userId, sessionId } = key;
  // Events of agents that run as tools may be shown to the caller, but their answers and failures are results of calls.
  const told = events.filter(({ isolationScope }) => isolationScope === undefined);
  const answer = lastResponse(told, root);
  const text = undo ? undoText(undo) : (concluded?.text ?? (answer && responseTextOf(answer)) ?? '');
  const pending = waiting.map((open) => pendingRequest(open.request, key, open));
  const failed = failureOf(told, { root, concluded, invocationId });
  const ended = { text, pending, events, appName, userId, sessionId, invocationId, ...(undo && { undo }) };
  if (pending.length > 0) return { ...ended, status: 'paused', output: undefined, error: undefined };
  if (failed) {
    return { ...ended, status: 'failed', output: undefined, error: new RunFailedError(failed) };
  }
  const answered = (output: unknown): RunResult<Output> => {
    return { ...ended, status: 'answered', output: output as Output, error: undefined };
  };
  if (undo) return answered(undo);
  if (concluded) return answered(concluded.output);
  if (answer && callerOf(answer)) return answered(resultIn(answer));
  const agent = answer && agentOf(root, answer);
  if (!agent?.readOutput) return answered(text);
  const read = await agent.readOutput(text);
  if ('output' in read) return answered(read.output);
  const error = new OutputInvalidError(agent.name, read.fault, text);
  return { ...ended, status: 'failed', output: undefined, error };
}

/** The result of a call that no model made, unwrapped if the tool returned no object. */
function resultIn({ functionResponses: [answer] }: Event): unknown {
  const { response = {} } = answer ?? {};
  const [name, ...others] = Object.keys(response);
  return name === 'result' && others.length === 0 ? response[name] : response;
}

/** @throws {RunPausedError | RunFailedError} */
export function textOf(result: RunResult<unknown>): string {
  refusePaused(result);
  const { text, error } = result;
  if (!error || error instanceof OutputInvalidError) return text;
  throw error;
}

/** @throws {RunPausedError | RunFailedError | OutputInvalidError} */
export function outputOf<Output>(result: RunResult<Output>): Output {
  refusePaused(result);
  const { output, error } = result;
  if (error) throw error;
  return output as Output;
}

/** A pause is no error of the run, but leaves its reader without an answer. */
function refusePaused({ status, sessionId, pending }: RunResult<unknown>): void {
  if (status === 'paused') throw new RunPausedError(sessionId, pending);
}

/** The event with the error of a failed run; undefined if it did not fail. Errors that an agent recovered from are ignored. */
function failureOf(
  events: readonly Event[],
  { root, concluded, invocationId }: Omit<RunOutcome, 'key' | 'waiting'>,
): Event | undefined {
  const last = events.findLastIndex((event) => event.errorCode !== undefined && !isRetried(event));
  const failed = events[last];
  if (failed && isCancelledEnd(failed) && last === events.length - 1) return failed;
  if (concluded) {
    const { error } = concluded;
    if (!error) return undefined;
    const { code: errorCode, message: errorMessage } = error;
    const told = events.findLast((event) => event.errorCode === errorCode);
    return told ?? new Event({ author: root.name, invocationId, errorCode, errorMessage });
  }
  if (!failed || runPathOf(failed) === root.name) return failed;
  return events.slice(last).some((event) => responseTextOf(event) !== undefined) ? undefined : failed;
}

/**
 * The last answer, which may be the result of a tool that skips summarization. Answers of a called agent are ignored,
 * because its parent gives the answer.
 */
function lastResponse(events: readonly Event[], root: AgentNode): Event | undefined {
  return events.findLast((event) => responseTextOf(event) !== undefined && !isOfCalled(root, event));
}
