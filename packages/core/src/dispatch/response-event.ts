import type { Part } from '../content/genai-types.js';
import type { Event } from '../events/event.js';
import type { AgentNode } from '../invocation/agent-node.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import { mergeActions } from './merge-actions.js';
import { isHandle, type SettledCall } from './settled-call.js';

/**
 * The one event that answers the calls of a turn, in the order of the calls.
 *
 * @param isPaused true if a call of the same answer waits for a person or for a result
 */
export function responseEvent(
  invocation: InvocationContext,
  agent: AgentNode,
  settled: readonly SettledCall[],
  isPaused: boolean,
): Event {
  const body = {
    author: agent.name,
    actions: mergeActions(invocation, settled, isPaused),
    longRunningToolIds: settled.some(isHandle) ? settled.filter(isHandle).map(({ id }) => id) : NO_IDS,
  };
  return invocation.event(body, { role: 'user', parts: settled.map(toPart) });
}

const NO_IDS: readonly string[] = Object.freeze([]);

function toPart(settled: SettledCall): Part {
  const { id, name, outcome } = settled;
  if (outcome.kind === 'paused') {
    return { functionResponse: { id, name, response: { status: 'pending' }, willContinue: true } };
  }
  const { response } = outcome;
  return {
    functionResponse: isHandle(settled) ? { id, name, response, willContinue: true } : { id, name, response },
  };
}
