import { isInvalidCall, requestEvent, responseEvent } from '../gates/call-events.js';
import {
  isHandle,
  isWaiting,
  type SettledCall,
  type ToolCall,
  type ToolOutcome,
} from '../gates/tool-call.js';
import { type Caller, callerOf } from '../events/caller.js';
import type { Event } from '../events/event.js';
import type { AgentNode } from '../run/agent-node.js';
import type { InvocationContext } from '../run/invocation-context.js';
import { PendingIndex } from '../log/pending-index.js';
import { type DeferredSteering, deferredSteering, EXITS } from '../log/steering.js';
import type { EndedCalls } from './background-calls.js';
import { type CallBatch, isToolCall, type ResolvedCall } from './call-batch.js';
import { withCodeResults } from './code-calls.js';
import { isCutCall, withCutCalls } from './cut-calls.js';
import { ASK, END, endWith, type Step, type Turn } from './step.js';
import { resolveTransfers } from './resolve-transfers.js';
import { outputEvent } from './structured-output.js';

/**
 * Runs calls, or takes the results of background calls, and stores one event with their responses, after the requests to persons.
 * Waits for all calls but those of background tools.
 */
export async function respondToCalls(
  step: Extract<Step, { kind: 'calls' | 'results' }>,
  turn: Turn,
): Promise<Step> {
  const { context, background } = turn;
  const given =
    step.kind === 'results' ? step.ended : { batch: step.batch, outcomes: await runCalls(step.batch, turn) };
  const ended = await background.joinedWith(given);
  const { after } = await respondToEnded(ended, turn);
  if (step.kind === 'calls' || context.cancellation.isCancelled) return after;
  return afterBackground(step.due, after, ended.batch.isSilent === true);
}

/**
 * Answers calls that have ended with one event, after the requests to persons. Returns it, and the step that they lead to.
 *
 * @param change makes the event that is stored in the place of the response
 */
export async function respondToEnded(
  { batch, outcomes }: EndedCalls,
  turn: Turn,
  change?: (response: Event) => Promise<Event>,
): Promise<{ readonly response: Event; readonly after: Step }> {
  const { context, sink } = turn;
  const result = finishCalls(turn, batch, outcomes);
  const { requests } = result;
  const response = change ? await change(result.response) : result.response;
  // All are stored before the first is shown.
  if (requests.length > 0) await context.appendAhead([...requests, response]);
  for (const event of [...requests, response]) await sink.emit(event);
  return { response, after: afterCalls(turn, { ...result, response }) };
}

function runCalls({ calls }: CallBatch, { agent, context, sink }: Turn): Promise<ToolOutcome[]> {
  const { dryRun } = context.services;
  const ready = calls.filter(isToolCall);
  const [first] = ready;
  if (dryRun && first) return dryRun.call(first.entry.tool.name);
  return agent.dispatcher.dispatchAll(ready, sink, context.config.toolConcurrency, sink);
}

/** The outcome of the calls of one response. */
interface CallsResult {
  readonly settled: readonly SettledCall[];
  /** The event with the responses to all calls. */
  readonly response: Event;
  /** One event for each call that waits for a person; they come before the response. */
  readonly requests: readonly Event[];
  /** True if a call of the response waits for a person or for a result: the run pauses. */
  readonly isPaused: boolean;
  /** True if all waiting calls are handles of tools with `announce`: the model is called once more before the pause. */
  readonly isAnnounced: boolean;
  /** False if no model made the calls: none is asked after them. */
  readonly isOfModel: boolean;
  /** The target of a transfer, if there is one. */
  readonly successor: AgentNode | undefined;
  /** True if a transfer was not performed because the limit of transfers is reached. */
  readonly isOverLimit: boolean;
}

/** Makes the events of settled calls. */
function finishCalls(
  { agent, context }: Turn,
  batch: CallBatch,
  outcomes: readonly ToolOutcome[],
): CallsResult {
  const { calls, origins, isResumed, isLast } = batch;
  const outcomesOfCalls = withCutCalls(settle(calls, outcomes), origins, context);
  const hasOpen = outcomesOfCalls.some(isOpen);
  const isPaused = hasOpen || isSiblingWaiting(context, batch, outcomesOfCalls);
  const deferred = isResumed === true && !isPaused ? deferredSteering(context.session, origins) : undefined;
  const caller = callerOfAll(origins);
  const state = { isPaused, deferred, isLast, caller };
  const { settled, successor, superior, isOverLimit } = resolveTransfers(
    agent,
    context,
    outcomesOfCalls,
    state,
  );
  const requests = requestsFor(settled);
  const ending = { ...state, superior };
  const done = successor || !deferred ? ending : { ...ending, deferred: withoutTransfer(deferred) };
  const response = withCodeResults(responseEvent(context, agent, settled, done), origins);
  const isAnnounced = hasOpen && outcomesOfCalls.filter(isOpen).every(isAnnouncedHandle);
  const isOfModel = caller === undefined;
  return { settled, requests, response, isPaused, isAnnounced, isOfModel, successor, isOverLimit };
}

/** Who made the calls of events, if no model made any of them. */
function callerOfAll(origins: readonly Event[]): Caller | undefined {
  const caller = origins[0] && callerOf(origins[0]);
  if (!caller) return undefined;
  return origins.every((origin) => callerOf(origin) !== undefined) ? caller : undefined;
}

/** True if an outcome ends or pauses the turn: the model is not called next. */
export function endsTurn(call: ToolCall, outcome: ToolOutcome | undefined): boolean {
  if (!outcome) return false;
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

/** True if another call of the same responses still waits: only the answered calls of a response are resumed. */
function isSiblingWaiting(
  { session }: InvocationContext,
  { origins, running, isResumed }: CallBatch,
  settled: readonly SettledCall[],
): boolean {
  // A batch that is neither holds all calls of its response.
  if (!running && isResumed !== true) return false;
  const open = PendingIndex.of(session);
  const ids = new Set([...settled.map(({ id }) => id), ...(running ?? [])]);
  return origins.some((origin) => open.isWaiting(origin, ids));
}

/** One event for each call that waits for a person. */
function requestsFor(outcomes: readonly SettledCall[]): Event[] {
  const requests: Event[] = [];
  for (const { call, outcome } of outcomes) {
    if (call && outcome.kind === 'paused') requests.push(requestEvent(call, outcome));
  }
  return requests;
}

/** Merges the outcomes of the calls that ran with the responses to calls without a tool, in the order of the calls. */
function settle(calls: readonly ResolvedCall[], outcomes: readonly ToolOutcome[]): SettledCall[] {
  let next = 0;
  return calls.map((call) => (isToolCall(call) ? settledCall(call, outcomes[next++] as ToolOutcome) : call));
}

function settledCall(call: ToolCall, outcome: ToolOutcome): SettledCall {
  return { id: call.id, name: call.entry.tool.name, call, outcome };
}

/** Decides the next step, strongest first: cancellation, a pause, a transfer, the end of the turn, a limit. */
function afterCalls(
  turn: Turn,
  { settled, response, isPaused, isAnnounced, isOfModel, successor, isOverLimit }: CallsResult,
): Step {
  const { agent, context } = turn;
  const invalid = settled.filter(isInvalidCall).length;
  const valid = settled.length - invalid;
  const isWithin = context.budget.spendInvalidCalls(invalid, valid, context.branch);
  turn.refusals = valid === 0 && settled.some(isCutCall) ? turn.refusals + 1 : 0;
  if (context.cancellation.isCancelled) return endWith('CANCELLED', turn);
  if (!isOfModel) return END;
  if (isPaused) return isAnnounced ? ASK : END;
  if (successor) return { kind: 'transfer', successor };
  if (isOverLimit) return endWith('TRANSFER_LIMIT', turn);
  if (response.actions.escalate === true || response.actions.skipSummarization === true) return END;
  const event = outputEvent(agent, context, settled);
  if (event) return { kind: 'end', event };
  if (turn.refusals > 1) return endWith('MAX_TOKENS', turn);
  return isWithin ? ASK : endWith('INVALID_CALL_LIMIT', turn);
}

/**
 * The next step after results of background calls. A failure that is due stays the end of the turn.
 *
 * @param due the step that was due before
 * @param after the step that the results lead to
 * @param isSilent true if none of them leads to a model call
 */
function afterBackground(due: Step, after: Step, isSilent: boolean): Step {
  if (due.kind === 'end' && due.event) return due;
  if (after.kind !== 'ask') return after;
  return due.kind === 'answered' && !isSilent ? ASK : due;
}

/**
 * The next step when all awaited results have arrived and no call is left to run: the deferred control actions of
 * earlier calls of the same responses, recorded in `event`, or else a model call.
 */
export async function afterResults(turn: Turn, origins: readonly Event[]): Promise<Step> {
  const { agent, context, sink } = turn;
  const deferred = deferredSteering(context.session, origins);
  const isOfModel = callerOfAll(origins) === undefined;
  if (!deferred) return isOfModel ? ASK : END;
  const state = { isPaused: false, deferred };
  const { successor, superior, isOverLimit } = resolveTransfers(agent, context, [], state);
  if (isOverLimit) return endWith('TRANSFER_LIMIT', turn);
  const actions = superior
    ? { ...deferred, transferToAgent: superior.name }
    : successor
      ? deferred
      : withoutTransfer(deferred);
  if (!actions) return isOfModel ? ASK : END;
  const { exits } = actions;
  const customMetadata = exits === undefined ? undefined : { [EXITS]: exits };
  const event = context.event({ author: agent.name, actions, customMetadata });
  await sink.emit(event);
  return !successor || !isOfModel ? END : { kind: 'transfer', successor };
}

/** The deferred control actions without the transfer, which is not performed. */
function withoutTransfer(deferred: DeferredSteering | undefined): DeferredSteering | undefined {
  const { escalate, skipSummarization, exits } = deferred ?? {};
  return escalate === true || skipSummarization === true ? { escalate, skipSummarization, exits } : undefined;
}
