import type { Event } from '../events/event.js';
import { type AgentNode, hasLoopAbove, successorPath } from '../run/agent-node.js';
import { hasStopped } from '../run/agent-run.js';
import { runSuccessor } from '../run/delegation.js';
import type { InvocationContext } from '../run/invocation-context.js';
import { ASK, OVER, type Step, STOPPED, type Turn } from './step.js';

/** Runs the agent that takes over; or the agent that is called, after which the turn continues. */
export async function runTransfer(
  { successor, index }: Extract<Step, { kind: 'transfer' }>,
  turn: Turn,
): Promise<Step> {
  const { context, sink } = turn;
  if (successor.transfer.isCalled) return callAgent(successor, turn, index);
  return (await runSuccessor(context, successor, sink, index)) === 'stopped' ? STOPPED : OVER;
}

/** Runs a sub-agent that its parent calls: on the shared conversation, until the sub-agent is done. */
async function callAgent(callee: AgentNode, { context, sink }: Turn, index?: number): Promise<Step> {
  let last = index === undefined ? undefined : lastEventOf(callee, context, index);
  const emit = (event: Event): Promise<void> => {
    if (!event.partial) last = event;
    return sink.emit(event);
  };
  if ((await runSuccessor(context, callee, { emit }, index)) === 'stopped') return STOPPED;
  if (hasStopped(context) || (last?.actions.escalate === true && hasLoopAbove(callee))) return OVER;
  if (last?.errorCode !== undefined) await sink.emit(failureOf(callee, last, context));
  return ASK;
}

/** The last event of the callee's run, if the run began before a pause or a crash. */
function lastEventOf(callee: AgentNode, context: InvocationContext, index: number): Event | undefined {
  return context.invocation.replay?.lastStepWithin(successorPath(context, callee), index)?.event;
}

/** Reports a failure of the callee to the parent's model, which does not see the errors of other agents. */
function failureOf({ name }: AgentNode, { errorMessage = '' }: Event, context: InvocationContext): Event {
  const parts = [{ text: `${name} could not finish: ${errorMessage}` }];
  return context.event({ author: context.agent.name, content: { role: 'user', parts } });
}
