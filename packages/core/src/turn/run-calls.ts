import { functionCallsOf } from '../content/content-parts.js';
import { requestEvent, responseEvent } from '../dispatch/call-events.js';
import {
  type EventSink,
  isHandle,
  isWaiting,
  type SettledCall,
  type ToolCall,
  type ToolOutcome,
} from '../dispatch/tool-call.js';
import type { Event } from '../events/event.js';
import type { AgentNode } from '../invocation/agent-node.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import { PendingIndex } from '../log/pending-index.js';
import { type DeferredSteering, deferredSteering, EXITS } from '../log/steering.js';
import { KEPT_SHAPES } from '../runtime/kept-shapes.js';
import { type CallBatch, isOnItsWay, type ResolvedCall } from './call-batch.js';
import { type EndCode, endEvent, type PlannedAgent } from './turn-agent.js';
import { resolveTransfers } from './resolve-transfers.js';
import { finalAnswer } from './structured-answer.js';

/** Starts the calls of an answer. The queue yields their events while they run. */
export function startCalls(
  agent: PlannedAgent,
  context: InvocationContext,
  { calls }: CallBatch,
): EventQueue<ToolOutcome[]> {
  const { toolConcurrency } = context.config;
  const queue = new EventQueue<ToolOutcome[]>();
  queue.run((sink) => agent.dispatcher.dispatchAll(calls.filter(isOnItsWay), sink, toolConcurrency));
  return queue;
}

/** The outcome of the calls of one answer. */
interface CallsResult {
  readonly settled: readonly SettledCall[];
  /** The event with the responses to all calls. */
  readonly response: Event;
  /** One event for each call that waits for a person; they come before the response. */
  readonly requests: readonly Event[];
  /** True if a call of the answer waits for a person or for a result: the run pauses. */
  readonly isPaused: boolean;
  /** True if all waiting calls are handles of tools with `announce`: the model is called once more before the pause. */
  readonly isAnnounced: boolean;
  /** The target of a transfer, if there is one. */
  readonly successor: AgentNode | undefined;
  /** True if a transfer was not performed because the limit of transfers is reached. */
  readonly isOverLimit: boolean;
}

/** Makes the events of settled calls. */
export function finishCalls(
  agent: PlannedAgent,
  context: InvocationContext,
  { calls, origins, isResumed }: CallBatch,
  outcomes: readonly ToolOutcome[],
): CallsResult {
  const outcomesOfCalls = settle(calls, outcomes);
  const hasOpen = outcomesOfCalls.some(isOpen);
  const isPaused = hasOpen || isSiblingWaiting(context, origins, outcomesOfCalls);
  const deferred = isResumed === true && !isPaused ? deferredSteering(context.session, origins) : undefined;
  const state = { isPaused, deferred };
  const { settled, successor, isOverLimit } = resolveTransfers(agent, context, outcomesOfCalls, state);
  const requests = requestsFor(settled);
  const done = successor === undefined ? { isPaused, deferred: withoutTransfer(deferred) } : state;
  const response = responseEvent(context, agent, settled, done);
  const isAnnounced = hasOpen && outcomesOfCalls.filter(isOpen).every(isAnnouncedHandle);
  return { settled, requests, response, isPaused, isAnnounced, successor, isOverLimit };
}

function isOpen(settled: SettledCall): boolean {
  return isWaiting(settled.outcome) || isHandle(settled);
}

/** True for the handle of a tool with `announce`, which has the model speak before the pause. */
function isAnnouncedHandle({ call, outcome }: SettledCall): boolean {
  const longRunning = call?.entry.tool.traits.longRunning;
  return outcome.kind === 'completed' && typeof longRunning === 'object' && longRunning.announce;
}

/** True if another call of the same answers still waits: only the answered calls of an answer are resumed. */
function isSiblingWaiting(
  { session }: InvocationContext,
  origins: readonly Event[],
  settled: readonly SettledCall[],
): boolean {
  const made = origins.reduce((count, { content }) => count + functionCallsOf(content).length, 0);
  if (made === settled.length) return false;
  const open = PendingIndex.of(session);
  const ids = new Set(settled.map(({ id }) => id));
  return origins.some((origin) => open.isWaiting(origin, ids));
}

/** One event for each call that waits for a person. */
function requestsFor(outcomes: readonly SettledCall[]): Event[] {
  const requests: Event[] = [];
  for (const { call, outcome } of outcomes) {
    if (call !== undefined && outcome.kind === 'paused') requests.push(requestEvent(call, outcome.question));
  }
  return requests;
}

/** Merges the outcomes of the calls that ran with the responses to calls without a tool, in the order of the calls. */
function settle(calls: readonly ResolvedCall[], outcomes: readonly ToolOutcome[]): SettledCall[] {
  let next = 0;
  return calls.map((call) => (isOnItsWay(call) ? settledCall(call, outcomes[next++] as ToolOutcome) : call));
}

function settledCall(call: ToolCall, outcome: ToolOutcome): SettledCall {
  return { id: call.id, name: call.entry.tool.name, call, outcome };
}

/** The next step of a turn, after the calls of an answer have run. */
export type NextStep =
  | { readonly kind: 'ask' }
  | { readonly kind: 'transfer'; readonly successor: AgentNode }
  /** The turn ends. `event`: the closing event, if there is one. */
  | { readonly kind: 'end'; readonly event?: Event | undefined };

/** The model is called. */
export const ASK: NextStep = Object.freeze({ kind: 'ask' });
const END: NextStep = Object.freeze({ kind: 'end' });

/** Decides the next step, strongest first: cancellation, a pause, a transfer, the end of the turn, a limit. */
export function afterCalls(
  agent: PlannedAgent,
  context: InvocationContext,
  { settled, response, isPaused, isAnnounced, successor, isOverLimit }: CallsResult,
): NextStep {
  if (context.cancellation.isCancelled) return endWith('CANCELLED', agent, context);
  if (isPaused) return isAnnounced ? ASK : END;
  if (successor !== undefined) return { kind: 'transfer', successor };
  if (isOverLimit) return endWith('TRANSFER_LIMIT', agent, context);
  if (response.actions.escalate === true || response.actions.skipSummarization === true) return END;
  const event = finalAnswer(agent, context, settled);
  if (event !== undefined) return { kind: 'end', event };
  const invalid = countInvalid(settled);
  const isWithin = context.budget.takeInvalidCalls(invalid, settled.length - invalid);
  return isWithin ? ASK : endWith('INVALID_CALL_LIMIT', agent, context);
}

/**
 * The next step when all awaited results have arrived and no call is left to run: the deferred control actions of
 * earlier calls of the same answers, recorded in `event`, or else a model call.
 */
export function afterResults(
  agent: PlannedAgent,
  context: InvocationContext,
  origins: readonly Event[],
): { readonly event?: Event; readonly next: NextStep } {
  const deferred = deferredSteering(context.session, origins);
  if (deferred === undefined) return { next: ASK };
  const state = { isPaused: false, deferred };
  const { successor, isOverLimit } = resolveTransfers(agent, context, [], state);
  if (isOverLimit) return { next: endWith('TRANSFER_LIMIT', agent, context) };
  const actions = successor === undefined ? withoutTransfer(deferred) : deferred;
  if (actions === undefined) return { next: ASK };
  const { exits } = actions;
  const customMetadata = exits === undefined ? undefined : { [EXITS]: exits };
  const event = context.event({ author: agent.name, actions, customMetadata });
  return { event, next: successor === undefined ? END : { kind: 'transfer', successor } };
}

/** The deferred control actions without the transfer, which is not performed. */
function withoutTransfer(deferred: DeferredSteering | undefined): DeferredSteering | undefined {
  const { escalate, skipSummarization, exits } = deferred ?? {};
  return escalate === true || skipSummarization === true ? { escalate, skipSummarization, exits } : undefined;
}

function countInvalid(settled: CallsResult['settled']): number {
  let count = 0;
  for (const { outcome } of settled) if (outcome.kind === 'failed' && outcome.invalid === true) count++;
  return count;
}

function endWith(code: EndCode, agent: PlannedAgent, context: InvocationContext): NextStep {
  return { kind: 'end', event: endEvent(agent, context, code) };
}

/** An event that waits to be read, with a callback for when it was read. */
interface Waiting {
  readonly event: Event;
  readonly taken: () => void;
}

type Ending<Result> =
  { readonly kind: 'result'; readonly result: Result } | { readonly kind: 'error'; readonly error: unknown };

/**
 * The events of a running job. `emit` waits until the reader has taken the event, so a tool is never ahead of its
 * reader.
 */
export class EventQueue<Result> implements EventSink {
  private readonly waiting: Waiting[] = [];
  private wake: (() => void) | undefined;
  private isClosed = false;
  private ending: Ending<Result> | undefined;

  /** Runs the job, which may emit into this queue from the start. */
  run(job: (sink: EventSink) => Promise<Result>): void {
    KEPT_SHAPES.queue = this;
    job(this).then(
      (result) => {
        this.end({ kind: 'result', result });
      },
      (error: unknown) => {
        this.end({ kind: 'error', error });
      },
    );
  }

  emit(event: Event): Promise<void> {
    if (this.isClosed) return Promise.resolve();
    return new Promise((taken) => {
      this.waiting.push({ event, taken });
      this.wake?.();
    });
  }

  /** The next event; undefined when the job has ended and all events are read. */
  next(): Promise<Event | undefined> {
    return new Promise((resolve) => {
      this.wake = () => {
        this.wake = undefined;
        resolve(this.take());
      };
      if (this.waiting.length > 0 || this.ending !== undefined) this.wake();
    });
  }

  /** The result of the job, or its error, which is thrown. Only after `next` has returned undefined. */
  get result(): Result {
    if (this.ending?.kind === 'result') return this.ending.result;
    throw this.ending?.error;
  }

  private take(): Event | undefined {
    const first = this.waiting.shift();
    first?.taken();
    return first?.event;
  }

  /** Releases all emitters that wait: the reader has stopped. */
  close(): void {
    this.isClosed = true;
    for (const { taken } of this.waiting.splice(0)) taken();
  }

  private end(ending: Ending<Result>): void {
    this.ending = ending;
    this.wake?.();
  }
}
