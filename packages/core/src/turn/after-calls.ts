import type { Event } from '../events/event.js';
import type { AgentNode } from '../invocation/agent-node.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import { type EndCode, endEvent } from './limits.js';
import type { CallsResult } from './run-calls.js';
import { finalAnswer } from './structured-answer.js';
import type { PlannedAgent } from './turn-agent.js';

/** What follows when the calls of an answer have run. */
export type NextStep =
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
