import type { Event } from '../events/event.js';
import type { AgentNode } from '../invocation/agent-node.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import type { ModelResponse } from '../models/model-response.js';

/** Why a run ends without an answer. Each end is an event with the code, never an exception. */
const ENDS = {
  CANCELLED: 'invocation was cancelled',
  INVALID_CALL_LIMIT: 'the model made too many calls in a row that name no tool or do not fit it',
  BYTE_LIMIT: 'invocation exhausted its budget of bytes of tool results',
  COST_LIMIT: 'invocation exhausted its budget of US dollars',
  LLM_CALL_LIMIT: 'invocation exhausted its budget of model calls',
  MAX_ITERATIONS: 'agent exhausted its iteration budget',
  TIME_LIMIT: 'invocation exhausted its budget of time',
  TOKEN_LIMIT: 'invocation exhausted its budget of tokens',
  TRANSFER_LIMIT: 'invocation exhausted its budget of transfers between agents',
} as const;

/** How a run ends that was recovered too often. */
export const RECOVERY_LIMIT = Object.freeze({
  errorCode: 'RECOVERY_LIMIT',
  errorMessage: 'the run did not end, however often it was resumed',
});

export type EndCode = keyof typeof ENDS;

/** The same as the answer of a model that was not asked. */
export function endResponse(errorCode: EndCode): ModelResponse {
  return { errorCode, errorMessage: ENDS[errorCode] };
}

/** The event with which a run ends early. One that was cancelled because its time is over says so. */
export function endEvent(
  agent: AgentNode,
  context: Pick<InvocationContext, 'event'> & Partial<Pick<InvocationContext, 'budget'>>,
  code: EndCode,
): Event {
  const errorCode = code === 'CANCELLED' && context.budget?.isTimeOver === true ? 'TIME_LIMIT' : code;
  return context.event({ author: agent.name, errorCode, errorMessage: ENDS[errorCode], turnComplete: true });
}
