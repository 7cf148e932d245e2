import { CallbackFailedError } from '../../callbacks/errors.js';
import type { FunctionCall, FunctionResponse } from '../../content/genai-types.js';
import { describeThrown } from '../../errors/describe-thrown.js';
import type { EventActions } from '../../events/event-actions.js';
import { type ChangedResponses, mergedWrites } from '../../events/told-responses.js';
import { CallbackContext } from '../../invocation/callback-context.js';
import type { Turn } from '../step.js';
import type { LiveCallbacks } from './live-callbacks.js';

type Response = Readonly<Record<string, unknown>>;

/**
 * Calls `beforeToolResponse` for responses that are about to be stored. If it throws, the model is told that it failed, and
 * nothing of the response.
 *
 * @param callOf the call that a response answers
 */
export async function changeResponses(
  { agent, context }: Turn,
  callbacks: LiveCallbacks,
  responses: readonly FunctionResponse[],
  callOf: (response: FunctionResponse) => Pick<FunctionCall, 'id' | 'name' | 'args'>,
): Promise<ChangedResponses> {
  if (!callbacks.beforeToolResponse) return NOTHING_CHANGED;
  const told: Record<string, Response> = {};
  let actions: Partial<EventActions> | undefined;
  for (const one of responses) {
    const { id = '', response = {} } = one;
    const callbackContext = new CallbackContext(context, agent);
    const changing = async () => callbacks.beforeToolResponse?.(response, callOf(one), callbackContext);
    try {
      const changed = await context.cancellation.wait(changing());
      if (changed) told[id] = changed;
    } catch (error) {
      const failure = CallbackFailedError.from('beforeToolResponse', error);
      told[id] = { error: describeThrown(failure).message };
      if (!context.cancellation.isCancelled)
        context.services.logger.error('the callback beforeToolResponse failed', { agent: agent.path, error });
    }
    callbackContext.close();
    const written = callbackContext.takeActions();
    if (written) actions = mergedWrites(actions ?? {}, written);
  }
  return { told: Object.keys(told).length > 0 ? told : undefined, actions };
}

const NOTHING_CHANGED: ChangedResponses = Object.freeze({ told: undefined, actions: undefined });
