import type { FunctionCall, FunctionResponse } from '../../events/genai-types.js';
import { describeThrown } from '@adorn/schema';
import { type EventActions, mergedWrites } from '../../events/event-actions.js';
import type { ChangedResponses } from '../../events/responses-for-model.js';
import { CallbackContext } from '../../run/callback-context.js';
import type { Turn } from '../step.js';
import { callCallback } from './call-callback.js';
import type { LiveCallbacks } from './live-callbacks.js';

type Response = Readonly<Record<string, unknown>>;

/**
 * Calls `beforeToolResponse` for responses that are about to be stored. If it throws, the model is told that it failed, and
 * nothing of the response.
 *
 * @param callOf the call that a response answers
 */
export async function changeResponses(
  turn: Turn,
  callbacks: LiveCallbacks,
  responses: readonly FunctionResponse[],
  callOf: (response: FunctionResponse) => Pick<FunctionCall, 'id' | 'name' | 'args'>,
): Promise<ChangedResponses> {
  if (!callbacks.beforeToolResponse) return NOTHING_CHANGED;
  const { agent, context } = turn;
  const told: Record<string, Response> = {};
  let actions: Partial<EventActions> | undefined;
  for (const one of responses) {
    const { id = '', response = {} } = one;
    const callbackContext = new CallbackContext(context, agent);
    const called = await callCallback('beforeToolResponse', turn, callbackContext, () =>
      callbacks.beforeToolResponse?.(response, callOf(one), callbackContext),
    );
    if (called.failure !== undefined) told[id] = { error: describeThrown(called.failure).message };
    else if (called.result) told[id] = called.result;
    actions = mergedWrites(actions, called.actions);
  }
  return { told: Object.keys(told).length > 0 ? told : undefined, actions };
}

const NOTHING_CHANGED: ChangedResponses = Object.freeze({ told: undefined, actions: undefined });
