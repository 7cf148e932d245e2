import { joinText } from '../content/content-parts.js';
import { readContent } from '../content/read-content.js';
import { describeThrown } from '../errors/describe-thrown.js';
import type { ModelResponse } from '../models/model-response.js';
import { endResponse } from './limits.js';
import type { TurnRequest } from './request-plan.js';
import type { TurnAgent } from './turn-agent.js';

type Answers = AsyncGenerator<ModelResponse, void, undefined>;

/** Asks the agent's model and runs its callbacks. Yields the pieces as they come, then the whole answer. */
export function askModel(agent: TurnAgent, request: TurnRequest): Answers {
  const { beforeModel, afterModel, onModelPiece, onModelError } = agent.callbacks;
  const isBare = !beforeModel && !afterModel && !onModelPiece && !onModelError;
  if (!isBare) return askWithCallbacks(agent, request);
  return request.context.budget.takeLlmCall() ? agent.model.generate(request.send()) : exhausted();
}

async function* exhausted(): Answers {
  yield endResponse('LLM_CALL_LIMIT');
}

/** Answers of `beforeModel` do not count against the limit of model calls. */
async function* askWithCallbacks(agent: TurnAgent, request: TurnRequest): Answers {
  const { callbacks } = agent;
  const context = request.callbackContext;
  const answered = await callbacks.beforeModel?.(request, context);
  if (answered !== undefined) return yield answered;
  if (!request.context.budget.takeLlmCall()) return yield endResponse('LLM_CALL_LIMIT');
  const pieces: ModelResponse[] = [];
  let whole: ModelResponse | undefined;
  for await (const response of generateRecovering(agent, request)) {
    if (response.partial !== true) whole = response;
    else if (request.stream) {
      const shown = (await callbacks.onModelPiece?.(response, context)) ?? response;
      if (shown === false) continue;
      const piece = { ...shown, partial: true };
      pieces.push(piece);
      yield piece;
    }
  }
  whole ??= cutResponse(pieces);
  yield (await callbacks.afterModel?.(whole, context)) ?? whole;
}

/** Errors of later callbacks are not errors of the model, and are not passed to `onModelError`. */
async function* generateRecovering({ model, callbacks }: TurnAgent, request: TurnRequest): Answers {
  try {
    yield* model.generate(request.send());
  } catch (error) {
    request.release();
    const recovered = await callbacks.onModelError?.(error, request, request.callbackContext);
    if (recovered === undefined) throw error;
    yield recovered;
  }
}

/** The error response for a model that ended without an answer, with the text that was received. */
export function cutResponse(pieces: readonly ModelResponse[]): ModelResponse {
  if (pieces.length === 0)
    return { errorCode: 'EMPTY_RESPONSE', errorMessage: 'The model ended without an answer.' };
  const text = pieces.map(({ content }) => joinText(readContent(content))).join('');
  return {
    ...(text !== '' && { content: { role: 'model', parts: [{ text }] } }),
    errorCode: 'STREAM_INTERRUPTED',
    errorMessage: 'The stream ended before the answer was whole. The text that came is kept: ask again.',
  };
}

/** The error response for an error thrown while the model was asked. */
export function failedResponse(error: unknown, { agent, context }: TurnRequest): ModelResponse {
  const { code = 'MODEL_FAILED', message } = describeThrown(error);
  if (code === 'CALLBACK_FAILED')
    context.services.logger.error('a callback around the model failed', { agent: agent.path, error });
  return { errorCode: code, errorMessage: message };
}
