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

/** Starts the calls of an answer. The queue yields their events while they run, except those of background tools. */
export function startCalls(
  agent: PlannedAgent,
  context: InvocationContext,
  { calls }: CallBatch,
  background: EventSink | undefined,
): EventQueue<ToolOutcome[]> {
  const { toolConcurrency } = context.config;
  const queue = new EventQueue<ToolOutcome[]>();
  queue.run((sink) =>
    agent.dispatcher.dispatchAll(calls.filter(isOnItsWay), sink, toolConcurrency, background),
  );
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
  batch: CallBatch,
  outcomes: readonly ToolOutcome[],
): CallsResult {
  const { calls, origins, isResumed, isLast } = batch;
  const outcomesOfCalls = settle(calls, outcomes);
  const hasOpen = outcomesOfCalls.some(isOpen);
  const isPaused = hasOpen || isSiblingWaiting(context, batch, outcomesOfCalls);
  const deferred = isResumed === true && !isPaused ? deferredSteering(context.session, origins) : undefined;
  const state = { isPaused, deferred, isLast };
  const { settled, successor, isOverLimit } = resolveTransfers(agent, context, outcomesOfCalls, state);
  const requests = requestsFor(settled);
  const done = successor === undefined ? { ...state, deferred: withoutTransfer(deferred) } : state;
  const response = responseEvent(context, agent, settled, done);
  const isAnnounced = hasOpen && outcomesOfCalls.filter(isOpen).every(isAnnouncedHandle);
  return { settled, requests, response, isPaused, isAnnounced, successor, isOverLimit };
}

/** True if an outcome ends or pauses the turn: the model is not called next. */
export function endsTurn(call: ToolCall, outcome: ToolOutcome | undefined): boolean {
  if (outcome === undefined) return false;
  return isOpen(settledCall(call, outcome)) || (outcome.kind === 'completed' && call.context.isSteering);
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
  { origins, running = [] }: CallBatch,
  settled: readonly SettledCall[],
): boolean {
  const made = origins.reduce((count, { content }) => count + functionCallsOf(content).length, 0);
  if (made === settled.length) return false;
  const open = PendingIndex.of(session);
  const ids = new Set([...settled.map(({ id }) => id), ...running]);
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
  /** The model has answered: the turn ends, unless a background call has a result for it. */
  | { readonly kind: 'answered' }
  | { readonly kind: 'transfer'; readonly successor: AgentNode }
  /** The turn ends. `event`: the closing event, if there is one. */
  | { readonly kind: 'end'; readonly event?: Event | undefined };

/** The model is called. */
export const ASK: NextStep = Object.freeze({ kind: 'ask' });
export const ANSWERED: NextStep = Object.freeze({ kind: 'answered' });
export const END: NextStep = Object.freeze({ kind: 'end' });

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
 * The next step after results of background calls.
 *
 * @param due the step that was due before
 * @param after the step that the results lead to
 * @param isSilent true if none of them leads to a model call
 */
export function afterBackground(due: NextStep, after: NextStep, isSilent: boolean): NextStep {
  if (after.kind !== 'ask') return after;
  return due.kind === 'answered' && !isSilent ? ASK : due;
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

export function endWith(code: EndCode, agent: PlannedAgent, context: InvocationContext): NextStep {
  return { kind: 'end', event: endEvent(agent, context, code) };
}

/** Gives events one by one. */
export interface EventSource {
  /** The next event; undefined at the end. */
  next(): Promise<Event | undefined>;
}

/** An event that waits to be read, with a callback for when it was read. */
export interface Waiting {
  readonly event: Event;
  readonly taken: () => void;
}

type Ending<Result> =
  { readonly kind: 'result'; readonly result: Result } | { readonly kind: 'error'; readonly error: unknown };

/**
 * The events of a running job. `emit` waits until the reader has taken the event, so a tool is never ahead of its
 * reader.
 */
export class EventQueue<Result> implements EventSink, EventSource {
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
