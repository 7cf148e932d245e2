import { isRetried } from '../events/event.js';
import type { InvocationContext } from '../run/invocation-context.js';
import { isBudgetEnd } from '../run/budget.js';
import { isStillWaiting, resumptionOf } from './call-batch.js';
import { runTransfer } from './run-transfer.js';
import { findSuccessor } from './resolve-transfers.js';
import { afterResults } from './run-calls.js';
import { ASK, OVER, refusalIn, type Step, type Turn } from './step.js';
import type { PlannedAgent } from './turn-agent.js';

/** The step with which a run begins or continues. */
export async function firstStep(turn: Turn): Promise<Step> {
  const { agent, context } = turn;
  if (context.isResumed) noteRefusal(turn);
  const recorded = context.isResumed ? recordedTransfer(agent, context) : undefined;
  if (recorded) {
    const after = recorded.successor.transfer.isCalled ? await runTransfer(recorded, turn) : recorded;
    if (after.kind !== 'ask') return after;
  }
  const resumption = await resumptionOf(agent, context);
  switch (resumption.kind) {
    case 'none':
      return context.isResumed && (context.isWaiting || hasAnswered(context)) ? OVER : ASK;
    case 'calls':
      return resumption;
    case 'results':
      return isStillWaiting(context, resumption.origins) ? OVER : afterResults(turn, resumption.origins);
  }
}

/** Has the model told why its answer could not be used, if the process died before it was asked once more. */
function noteRefusal(turn: Turn): void {
  const last = turn.context.lastStep?.event;
  if (!last || !isRetried(last)) return;
  turn.refusals = 1;
  turn.refusal = refusalIn(last);
}

/** The agent's last step before the invocation paused or was interrupted, if it was a transfer. */
function recordedTransfer(
  agent: PlannedAgent,
  { lastStep }: InvocationContext,
): Extract<Step, { kind: 'transfer' }> | undefined {
  if (!lastStep) return undefined;
  const target = findSuccessor(agent, lastStep.event.actions);
  return target?.kind === 'found'
    ? { kind: 'transfer', successor: target.agent, index: lastStep.index }
    : undefined;
}

/**
 * True if the agent had answered, and its process died before the end of its run was stored. An agent that a limit of the
 * budget has ended continues, because the budget may be larger now.
 */
function hasAnswered({ lastStep }: InvocationContext): boolean {
  if (!lastStep) return false;
  const { turnComplete, actions, errorCode } = lastStep.event;
  return (
    (turnComplete && !isBudgetEnd(errorCode)) ||
    actions.skipSummarization === true ||
    actions.escalate === true
  );
}
