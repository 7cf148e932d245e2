import type { ModelResponse } from '@adorn/core';

/** What came is not an answer of Gemini's. */
export function malformedResponse(): ModelResponse {
  return {
    errorCode: 'MALFORMED_RESPONSE',
    errorMessage: 'The model answered with something that is not the JSON of an answer: ask again.',
  };
}

/** The pieces that came are not the whole, so none of them is in here. */
export function interruptedResponse(): ModelResponse {
  return {
    errorCode: 'STREAM_INTERRUPTED',
    errorMessage: 'The stream broke off before the answer was whole; the pieces are not kept: ask again.',
  };
}

/** The stream ended properly, and without saying that the answer is whole: what came is kept, and is no answer. */
export function cutResponse(response: ModelResponse): ModelResponse {
  return {
    ...response,
    errorCode: 'STREAM_INTERRUPTED',
    errorMessage:
      'The stream ended without a finish reason: the answer is cut. What came is kept: ask again.',
  };
}
