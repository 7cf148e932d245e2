import { functionCallsOf } from '../content/content-parts.js';
import { requestEvent, responseEvent } from '../dispatch/call-events.js';
import { isHandle, type SettledCall, type ToolCall, type ToolOutcome } from '../dispatch/tool-call.js';
import type { Event } from '../events/event.js';
import type { AgentNode } from '../invocation/agent-node.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import { PendingIndex } from '../log/pending-index.js';
import { EventQueue } from './event-queue.js';
import { type EndCode, endEvent } from './limits.js';
import { type CallBatch, isOnItsWay, type ResolvedCall } from './resolve-call.js';
import { resolveTransfers } from './resolve-transfers.js';
import { finalAnswer } from './structured-answer.js';
import type { PlannedAgent } from './turn-agent.js';

/** Sends the calls of an answer to their tools. What they do on the way is read off the queue. */
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

/** What became of the calls of one answer. */
export interface CallsResult {
  readonly settled: readonly SettledCall[];
  /** The one event that answers them all. */
  readonly response: Event;
  /** One event for each call that waits for a person; they come before the response. */
  readonly requests: readonly Event[];
  /** A call of the same answer waits for a person or for a result: the run does not go on. */
  readonly isPaused: boolean;
  /** The agent that takes over. */
  readonly successor: AgentNode | undefined;
  /** A transfer was not done, as it would have been one too many. */
  readonly isOverLimit: boolean;
}

/** Makes the events of calls that have all been settled. */
export function finishCalls(
  agent: PlannedAgent,
  context: InvocationContext,
  { calls, origins }: CallBatch,
  outcomes: readonly ToolOutcome[],
): CallsResult {
  const outcomesOfCalls = settle(calls, outcomes);
  const isPaused = outcomesOfCalls.some(isOpen) || isSiblingWaiting(context, origins, outcomesOfCalls);
  const { settled, successor, isOverLimit } = resolveTransfers(agent, context, outcomesOfCalls, isPaused);
  const requests = requestsFor(settled);
  const response = responseEvent(context, agent, settled, isPaused);
  return { settled, requests, response, isPaused, successor, isOverLimit };
}

function isOpen(settled: SettledCall): boolean {
  return settled.outcome.kind === 'paused' || isHandle(settled);
}

/** Calls that were approved run alone: others of the same answer may wait on. */
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

/** Lays the outcomes of the calls that ran beside the answers of those that had no tool, in the order of all. */
function settle(calls: readonly ResolvedCall[], outcomes: readonly ToolOutcome[]): SettledCall[] {
  let next = 0;
  return calls.map((call) => (isOnItsWay(call) ? settledCall(call, outcomes[next++] as ToolOutcome) : call));
}

function settledCall(call: ToolCall, outcome: ToolOutcome): SettledCall {
  return { id: call.id, name: call.entry.tool.name, call, outcome };
}

/** What follows when the calls of an answer have run. */
type NextStep =
  | { readonly kind: 'ask' }
  | { readonly kind: 'transfer'; readonly successor: AgentNode }
  /** `event` says what there is to say at the end. */
  | { readonly kind: 'end'; readonly event?: Event | undefined };

const ASK: NextStep = Object.freeze({ kind: 'ask' });
const END: NextStep = Object.freeze({ kind: 'end' });

/** Decides, strongest first: cancelled, somebody has to be asked, another agent takes over, the turn is over, a limit. */
export function afterCalls(
  agent: PlannedAgent,
  context: InvocationContext,
  { settled, response, isPaused, successor, isOverLimit }: CallsResult,
): NextStep {
  if (context.cancellation.isCancelled) return endWith('CANCELLED', agent, context);
  if (isPaused) return END;
  if (successor !== undefined) return { kind: 'transfer', successor };
  if (isOverLimit) return endWith('TRANSFER_LIMIT', agent, context);
  if (response.actions.escalate === true || response.actions.skipSummarization === true) return END;
  const event = finalAnswer(agent, context, settled);
  if (event !== undefined) return { kind: 'end', event };
  const invalid = countInvalid(settled);
  const isWithin = context.budget.takeInvalidCalls(invalid, settled.length - invalid);
  return isWithin ? ASK : endWith('INVALID_CALL_LIMIT', agent, context);
}

function countInvalid(settled: CallsResult['settled']): number {
  let count = 0;
  for (const { outcome } of settled) if (outcome.kind === 'failed' && outcome.invalid === true) count++;
  return count;
}

function endWith(code: EndCode, agent: PlannedAgent, context: InvocationContext): NextStep {
  return { kind: 'end', event: endEvent(agent, context, code) };
}
