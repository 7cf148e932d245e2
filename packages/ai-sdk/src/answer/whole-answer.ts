import type { ModelResponse } from '@adorn/core';
import { malformedResponse, type ModelAttempt } from '@adorn/core/backend';

import { failureOf } from '../attempts/attempt-failure.js';
import { refusedResponse } from '../attempts/to-error.js';
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
    return collectWhole(call, answer)?.whole(form.read) ?? malformedResponse();
  } catch (error) {
    call.signal.throwIfAborted();
    const failure = failureOf(error, attempt);
    if (failure.kind !== 'malformed' && failure.kind !== 'refused') throw error;
    attempt.end('given up');
    return failure.kind === 'refused' ? refusedResponse(failure, call) : malformedResponse();
  }
}
