import type { FunctionCall } from '@adorn/core';
import {
  type ChangedResponses,
  describeThrown,
  type EventActions,
  type FunctionResponse,
  mergedWrites,
  type OpenTurn,
} from '@adorn/core/backend';
type Response = Readonly<Record<string, unknown>>;

/**
 * Calls `beforeToolResponse` for responses that are about to be stored. If it throws, the model is told that it failed, and
 * nothing of the response.
 *
 * @param callOf the call that a response answers
 */
export async function changeResponses(
  turn: OpenTurn,
  responses: readonly FunctionResponse[],
  callOf: (response: FunctionResponse) => Pick<FunctionCall, 'id' | 'name' | 'args'>,
): Promise<ChangedResponses> {
  const { callbacks } = turn;
  if (!callbacks.beforeToolResponse) return NOTHING_CHANGED;
  const told: Record<string, Response> = {};
  let actions: Partial<EventActions> | undefined;
  for (const one of responses) {
    const { id = '', response = {} } = one;
    const called = await turn.callBack('beforeToolResponse', (context) =>
      callbacks.beforeToolResponse?.(response, callOf(one), context),
    );
    if (called.failure !== undefined) told[id] = { error: describeThrown(called.failure).message };
    else if (called.result) told[id] = called.result;
    actions = mergedWrites(actions, called.actions);
  }
  return { told: Object.keys(told).length > 0 ? told : undefined, actions };
}

const NOTHING_CHANGED: ChangedResponses = Object.freeze({ told: undefined, actions: undefined });
