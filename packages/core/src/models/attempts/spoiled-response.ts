import type { ModelResponse } from '../model-response.js';

/** The body is not an answer of a model. */
export function malformedResponse(): ModelResponse {
  return {
    errorCode: 'MALFORMED_RESPONSE',
    errorMessage: 'The model answered with something that is not the JSON of an answer: ask again.',
  };
}

/** The stream was interrupted. The response contains none of the pieces, because they are incomplete. */
export function interruptedResponse(): ModelResponse {
  return {
    errorCode: 'STREAM_INTERRUPTED',
    errorMessage: 'The stream broke off before the answer was whole; the pieces are not kept: ask again.',
  };
}

/** The stream ended without a reason. The text that came is kept, and is not a usable answer. */
export function cutResponse({ finishReason: _none, ...response }: ModelResponse): ModelResponse {
  return {
    ...response,
    errorCode: 'STREAM_INTERRUPTED',
    errorMessage:
      'The stream ended without a finish reason: the answer is cut. What came is kept: ask again.',
  };
}
