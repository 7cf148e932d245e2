import { contextRefusal, ModelAttempt, retryAfterWait, withModelRetries } from '@adorn/core/backend';

import type { ProviderCall } from '../provider-call.js';
import { type AttemptFailure, failureOf } from './attempt-failure.js';
import { toError } from './to-error.js';

/** Makes attempts until one succeeds. @throws an AdornError when all attempts failed */
export function withRetries<Result>(
  call: ProviderCall,
  run: (attempt: ModelAttempt) => Promise<Result>,
): Promise<Result> {
  const { model, options, names, signal, timeout, timing } = call;
  return withModelRetries(call, {
    begin: () => new ModelAttempt(signal, timeout),
    run,
    judge: (thrown, attempt) => {
      const failure = failureOf(thrown, attempt);
      return {
        mayPass: mayPass(failure),
        askedWait: failure.kind === 'http' ? retryAfterWait(failure.headers, timing.now()) : undefined,
        toError: (attempts) =>
          toError(failure, { model: model.modelId, attempts, headers: options.headers, names }),
      };
    },
  });
}

const PASSING: ReadonlySet<number> = new Set([408, 409, 429]);

/** A quota that waiting does not refill. */
const EXHAUSTED: ReadonlySet<string | undefined> = new Set([
  'insufficient_quota',
  'billing_hard_limit_reached',
]);

function mayPass(failure: AttemptFailure): boolean {
  if (failure.kind === 'connection') return failure.again;
  if (failure.kind !== 'http' || EXHAUSTED.has(failure.reason)) return false;
  const isPassing = PASSING.has(failure.status) || failure.status >= 500;
  return isPassing && !contextRefusal(failure);
}
