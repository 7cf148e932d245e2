import type { Event } from '../events/event.js';
import type { AgentNode } from '../invocation/agent-node.js';
import { hasStopped, STOP } from '../invocation/agent-run.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import { successorPath } from '../invocation/replay.js';

/**
 * Runs a sub-agent that its parent calls: on the shared conversation, until it is done.
 *
 * @param context of the parent
 * @param index of the recorded transfer, if the run of the parent was resumed
 * @returns whether the parent goes on; it does not if something waits, was cancelled or escalated
 */
export async function* callAgent(
  callee: AgentNode,
  context: InvocationContext,
  index?: number,
): AsyncGenerator<Event, boolean, undefined> {
  let last = index === undefined ? undefined : lastEventOf(callee, context, index);
  for await (const event of context.handOver(callee, index)) {
    yield event;
    if (event === STOP) return false;
    if (!event.partial) last = event;
  }
  if (hasStopped(context) || last?.actions.escalate === true) return false;
  if (last?.errorCode !== undefined) yield failureOf(callee, last, context);
  return true;
}

/** What the log holds last of a run that had begun before. */
function lastEventOf(callee: AgentNode, context: InvocationContext, index: number): Event | undefined {
  return context.invocation.replay?.lastStepWithin(successorPath(context, callee), index)?.event;
}

/** The parent's model does not see errors of others, and would wait for what does not come. */
function failureOf({ name }: AgentNode, { errorMessage = '' }: Event, context: InvocationContext): Event {
  const parts = [{ text: `${name} could not finish: ${errorMessage}` }];
  return context.event({ author: context.agent.name, content: { role: 'user', parts } });
}
