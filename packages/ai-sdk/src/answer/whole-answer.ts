import type { ModelResponse } from '@adorn/core';
import { malformedResponse, type ModelAttempt } from '@adorn/core/backend';

import { failureOf } from '../attempts/attempt-failure.js';
import { withRetries } from '../attempts/with-retries.js';
import { isJsonObject } from '../is-json-object.js';
import type { ProviderCall } from '../provider-call.js';
import { collectWhole } from './answer-collector.js';

/** Asks for the answer in one piece. */
export function wholeAnswer(call: ProviderCall): Promise<ModelResponse> {
  return withRetries(call, (attempt) => askOnce(call, attempt));
}

async function askOnce(call: ProviderCall, attempt: ModelAttempt): Promise<ModelResponse> {
  try {
    const { model, options, form } = call;
    const answer = await attempt.until(model.doGenerate({ ...options, abortSignal: attempt.signal }));
    attempt.end('complete');
    if (isJsonObject(answer)) call.warn(answer['warnings']);
    return collectWhole(model, answer)?.whole(form.read) ?? malformedResponse();
  } catch (error) {
    if (call.signal.aborted || failureOf(error, attempt).kind !== 'malformed') throw error;
    attempt.end('given up');
    return malformedResponse();
  }
}
