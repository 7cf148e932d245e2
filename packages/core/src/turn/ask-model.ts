import { AdornError } from '../errors/adorn.error.js';
import type { ModelResponse } from '../models/model-response.js';
import type { TurnRequest } from './request-plan.js';
import type { TurnAgent } from './turn-agent.js';

/** Asks the agent's model, its callbacks around it. */
export function askModel(
  agent: TurnAgent,
  request: TurnRequest,
): AsyncGenerator<ModelResponse, void, undefined> {
  const { beforeModel, afterModel, onModelError } = agent.callbacks;
  const isBare = beforeModel === undefined && afterModel === undefined && onModelError === undefined;
  return isBare ? agent.model.generate(request.send()) : askWithCallbacks(agent, request);
}

async function* askWithCallbacks(
  agent: TurnAgent,
  request: TurnRequest,
): AsyncGenerator<ModelResponse, void, undefined> {
  const { callbacks, model } = agent;
  const context = request.callbackContext;
  const answered = await callbacks.beforeModel?.(request, context);
  if (answered !== undefined) {
    yield answered;
    return;
  }
  try {
    for await (const response of model.generate(request.send())) {
      yield response.partial === true
        ? response
        : ((await callbacks.afterModel?.(response, context)) ?? response);
    }
  } catch (error) {
    request.release();
    const recovered = await callbacks.onModelError?.(error, request, context);
    if (recovered === undefined) throw error;
    yield recovered;
  }
}

/** What was thrown while the model was asked, as the answer that did not come. */
export function failedResponse(error: unknown): ModelResponse {
  const errorCode = AdornError.is(error) ? error.code : 'MODEL_FAILED';
  return { errorCode, errorMessage: error instanceof Error ? error.message : String(error) };
}
