import { ModelAttempt } from '@adorn/core/backend';

import type { ProviderCall } from '../provider-call.js';
import { type AttemptFailure, failureOf } from './attempt-failure.js';
import { retryDelay } from './retry-delay.js';
import { toError } from './to-error.js';

/**
 * Makes attempts until one succeeds, waiting in between. The attempt that succeeded is the caller's to end.
 *
 * @throws the signal's reason as soon as the invocation is cancelled, and an AdornError when all attempts failed.
 */
export async function withRetries<Result>(
  call: ProviderCall,
  run: (attempt: ModelAttempt) => Promise<Result>,
): Promise<Result> {
  const begun = call.timing.now();
  for (let attempts = 1; ; attempts += 1) {
    call.signal.throwIfAborted();
    const attempt = new ModelAttempt(call.signal, call.timeout);
    try {
      return await run(attempt);
    } catch (error) {
      attempt.end('given up');
      call.signal.throwIfAborted();
      await waitOrThrow(failureOf(error, attempt), call, attempts, begun);
    }
  }
}

async function waitOrThrow(
  failure: AttemptFailure,
  call: ProviderCall,
  attempts: number,
  begun: number,
): Promise<void> {
  const { model, options, retry, timing, signal } = call;
  const delay = retryDelay(failure, { options: retry, attempts, begun }, timing);
  if (delay === undefined)
    throw toError(failure, { model: model.modelId, attempts, headers: options.headers });
  await timing.sleep(delay, signal);
}
