import type { ModelResponse } from '@adorn/core';
import { malformedResponse } from '@adorn/core/backend';

import { failureOf } from '../attempts/attempt-failure.js';
import type { GeminiAttempt } from '../attempts/gemini-attempt.js';
import { type GeminiCall, parametersOf } from '../gemini-call.js';
import { readPiece } from './gemini-piece.js';
import { withWholeCalls } from './streamed-calls.js';
import { toModelResponse } from './to-model-response.js';
import { withRetries } from '../attempts/with-retries.js';

/** Requests the answer without streaming. */
export function wholeAnswer(call: GeminiCall): Promise<ModelResponse> {
  return withRetries(call, false, (attempt) => askOnce(call, attempt));
}

async function askOnce(call: GeminiCall, attempt: GeminiAttempt): Promise<ModelResponse> {
  try {
    const answer = await attempt.until(call.client.models.generateContent(parametersOf(call, attempt)));
    attempt.end('complete');
    return toModelResponse(withWholeCalls(readPiece(answer)));
  } catch (error) {
    if (call.signal.aborted || failureOf(error, attempt).kind !== 'malformed') throw error;
    attempt.end('given up');
    return malformedResponse();
  }
}
