import { describeThrown, AdornError, toJsonValue, present } from '@adorn/schema';
import { setImmediate } from 'node:timers/promises';

import type { EventActions } from '../events/event-actions.js';
import type { Event } from '../events/event.js';
import { undoOf } from '../events/undo-mark.js';
import { InvocationCancelledError } from '../run/cancellation.js';
import { PoliciesMissingError } from '../tools/policies/errors.js';
import type { PolicyCall, PolicyRun, RetriedAttempt, ToolPolicies } from '../tools/policies/policy.js';
import { ReaderWait } from './reader-wait.js';
import { reconciled } from './reconcile.js';
import { noteReceipt, revokeUndone } from './receipt.js';
import { runOnce } from './run-once.js';
import { type Watched, withinTime } from './time-limit.js';
import { ToolPausedError } from '../tools/tool-requests.js';
import { declaresPolicies } from '../tools/tool-traits.js';
import { completeCall } from './complete-call.js';
import type { Ended } from './ended-call.js';
import { asResponse, completionOf, failureOf, isDeclared, reportable } from './outcome.js';
import type { EventSink } from '../events/event-sink.js';
import { type GateVerdict, isIdempotent, isListening, type ToolCall, type ToolGate } from './tool-call.js';

/**
 * The last gate: runs the tool within its policies, and these within the callbacks. An error becomes an outcome, so a
 * failing tool does not end the turn.
 */
export class RunGate implements ToolGate {
  readonly name = 'run';

  constructor(private readonly policies?: ToolPolicies) {}

  async enter(call: ToolCall, sink: EventSink): Promise<GateVerdict> {
    const { callbacks, entry, context, answer } = call;
    if (callbacks.beforeTool !== undefined && !call.isIntercepted) return 'intercept';
    const policed = declaresPolicies(entry.tool.traits) ? this.policedRun(call) : undefined;
    if (context.isAborted) throw InvocationCancelledError.duringCall();
    call.started?.();
    const { once } = entry.tool.traits;
    let ended: Ended;
    try {
      const found = answer?.isInterrupted === true && once === undefined ? await reconciled(call) : undefined;
      if (found !== undefined) {
        if (entry.tool.undo) await noteReceipt(call, { kind: 'returned', result: found });
        return await completionOf(call, found);
      }
      const run = (): Promise<Ended> => runToEnd(call, sink, policed);
      ended = once === undefined ? await run() : await runOnce(call, run);
      if (entry.tool.undo) await noteReceipt(call, ended);
      const undone = answer && undoOf(answer.open.event);
      if (undone) await revokeUndone(call, undone, ended);
    } catch (error) {
      return failureOf(call, error);
    }
    // The question is the tool's own: the tool runs again from its start with the answer, and its callbacks come then.
    if (context.question !== undefined) return failureOf(call, new ToolPausedError(entry.tool.name, 'tool'));
    return completeCall(call, ended);
  }

  close(): void {
    this.policies?.close();
  }

  /** @throws {PoliciesMissingError} for a tool of a toolset, which is known only now */
  private policedRun({ entry: { tool }, agent }: ToolCall): PolicyRun {
    if (this.policies === undefined) throw new PoliciesMissingError(tool.name);
    return this.policies.runOf(tool, agent.name);
  }
}

/**
 * Starts the tool, and waits for its result. Each start gets all answers of the tool again. A generator's yields go to the
 * sink.
 */
async function toolResult(call: ToolCall, sink: EventSink): Promise<unknown> {
  call.context.askAs('tool');
  const { runTool } = call.invocation.services.standIns ?? {};
  const run = (): Promise<unknown> => ownResult(call, sink);
  if (!runTool) return run();
  const { entry, args, context, id: callId } = call;
  const { idempotencyKey, state } = context;
  return runTool({ tool: entry.tool.name, args, callId, idempotencyKey }, run, state);
}

async function ownResult(call: ToolCall, sink: EventSink): Promise<unknown> {
  const { tool } = call.entry;
  if (tool.runAgent !== undefined) {
    const emit = (event: Event): Promise<void> => sink.emit(event);
    return tool.runAgent(call.args, call.context, { invocation: call.invocation, emit });
  }
  const result = await tool.run(call.args, call.context);
  return isProgressing(result) ? lastOf(result, call, sink) : result;
}

/** @param policed the policies of the tool, if it has any */
async function runToEnd(call: ToolCall, sink: EventSink, policed: PolicyRun | undefined): Promise<Ended> {
  try {
    const running = policed === undefined ? runInTime(call, sink) : policed(new PolicedCall(call, sink));
    return { kind: 'returned', result: await running };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

/** A call for its policies. */
class PolicedCall implements PolicyCall {
  constructor(
    private readonly call: ToolCall,
    private readonly sink: EventSink,
  ) {}

  get tool() {
    return this.call.entry.tool;
  }

  get args() {
    return this.call.args;
  }

  get context() {
    return this.call.context;
  }

  get cancellation() {
    return this.call.invocation.cancellation;
  }

  get places() {
    return this.call.invocation.services.places;
  }

  get isWaiting() {
    return this.context.question !== undefined;
  }

  get hasAsked() {
    return this.context.hasRequests;
  }

  effects() {
    const { longRunning, credential, hasRequests } = this.context;
    return [this.context.drainActions() ?? null, longRunning, credential === undefined, hasRequests];
  }

  /** Resets the reader wait: waits of earlier attempts do not extend the time limit of this one. */
  async attempt(): Promise<unknown> {
    if (this.cancellation.isCancelled) throw new InvocationCancelledError();
    delete this.call.readerWait;
    return runInTime(this.call, this.sink);
  }

  isIdempotent(): Promise<boolean> {
    return isIdempotent(this.call);
  }

  restart(): void {
    this.context.restart();
  }

  jsonOf(result: unknown): string | undefined {
    try {
      return JSON.stringify(toJsonValue(result, 'result'));
    } catch {
      return undefined;
    }
  }

  retrying({ error, attempt, delayMs }: RetriedAttempt): void {
    const { id, invocation, observation } = this.call;
    observation?.note({ kind: 'retry', attempt, delayMs, error });
    // One line: the failure that ends the call is logged with its stack.
    const { message } = describeThrown(reportable(this.call, error));
    const facts = { callId: id, attempt, delayMs, error: message };
    invocation.services.logger.warn(`tool "${this.tool.name}" failed and is retried`, facts);
  }
}

/** Runs the tool within its time. If it says itself that it failed, the call may have taken no more effect than before. */
async function runInTime(call: ToolCall, sink: EventSink): Promise<unknown> {
  const { context } = call;
  const before = context.mayHaveTakenEffect;
  const note = (ending: unknown): void => {
    // A tool that has asked runs again from its start, so it has had no effect that counts.
    if (isDeclared(ending) || context.question !== undefined) context.mayHaveTakenEffect = before;
  };
  context.mayHaveTakenEffect = true;
  const running = toolResult(call, sink);
  const hasEnded = (): void => {
    if (call.running === running) call.running = undefined;
  };
  void running.then(hasEnded, hasEnded);
  try {
    call.running = running;
    const result = await withinTime(running, new WatchedCall(call));
    if (isToolError(result)) throw result;
    note(result);
    return result;
  } catch (error) {
    note(error);
    throw error;
  }
}

/** True for a `ToolError`, which says to the model what failed: returned, it means the same as thrown. */
function isToolError(result: unknown): result is Error {
  return AdornError.is(result) && result.code === 'TOOL_FAILED';
}

/** A call for its time limit. */
class WatchedCall implements Watched {
  constructor(private readonly call: ToolCall) {}

  get tool() {
    return this.call.entry.tool;
  }

  get context() {
    return this.call.context;
  }

  get cancellation() {
    return this.call.invocation.cancellation;
  }

  get hearing() {
    return isListening(this.call) ? this.call.context.hearing : undefined;
  }

  get toolTimeout() {
    return this.call.invocation.config.toolTimeout;
  }

  get readerWait() {
    return this.call.readerWait;
  }

  endedLate(failure?: { readonly error: unknown }): void {
    if (isAbort(failure?.error, this.context.signal)) return;
    const { id, invocation } = this.call;
    const ending = failure === undefined ? 'completed' : 'failed';
    const facts = present({
      callId: id,
      invocationId: invocation.invocationId,
      error: failure && reportable(this.call, failure.error),
    });
    invocation.services.logger.warn(`tool "${this.tool.name}" was abandoned, and has since ${ending}`, facts);
  }
}

/** True for an abort error, and for the cancellation of an agent that is a tool: it observed its signal and stopped. */
function isAbort(error: unknown, signal: AbortSignal): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if (error === signal.reason || error instanceof InvocationCancelledError) return true;
  return 'name' in error && error.name === 'AbortError';
}

/** A running async generator. */
type Progressing = AsyncIterator<unknown, unknown> & AsyncIterable<unknown>;

/** True if a tool returned a generator: its yields are progress, its return value is the result. */
export function isProgressing(result: unknown): result is Progressing {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result && 'next' in result;
}

/**
 * After so many yields the event loop gets a turn. Without it, a generator that yields without end and never waits for
 * I/O would keep timers from firing: its time limit, and everything else in the process.
 */
const YIELDS_PER_TURN = 64;

/** Emits the yields of a generator and returns its return value, or the list of its yields if it returns nothing. */
async function lastOf(running: Progressing, call: ToolCall, sink: EventSink): Promise<unknown> {
  const yielded: unknown[] = [];
  const { signal } = call.context;
  const stop = (): void => {
    // A listener must not throw: this would end the process.
    try {
      Promise.resolve(running.return?.(undefined)).catch(() => undefined);
    } catch {
      // A generator that cannot be stopped is abandoned.
    }
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    for (;;) {
      const { done, value } = await running.next();
      if (done === true) return value === undefined ? yielded : value;
      // An iterator that cannot be told to return would be driven on for ever.
      if (signal.aborted) throw signal.reason;
      yielded.push(value);
      if (yielded.length % YIELDS_PER_TURN === 0) await setImmediate();
      const readerWait = (call.readerWait ??= new ReaderWait());
      const writes = call.context.drainWrites();
      if (writes) await sink.emit(writesEvent(call, writes));
      await readerWait.until(sink.emit(progressEvent(call, value)));
    }
  } catch (error) {
    stop();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** What a tool has written before a yield: others see it while the tool runs, which may be as long as the conversation. */
function writesEvent({ agent, invocation }: ToolCall, actions: Partial<EventActions>): Event {
  return invocation.event({ author: agent.name, actions });
}

function progressEvent({ id, entry, agent, invocation }: ToolCall, value: unknown) {
  const functionResponse = {
    id,
    name: entry.tool.name,
    response: asResponse(toJsonValue(value, 'result')),
    willContinue: true,
  };
  return invocation.event({
    author: agent.name,
    content: { role: 'user', parts: [{ functionResponse }] },
    partial: true,
  });
}
