import {
  ModelAttempt,
  type ModelRetryState,
  retryAfterWait,
  retryDelay,
  type Timing,
} from '@adorn/core/backend';

import type { ProviderCall } from '../provider-call.js';
import { type AttemptFailure, failureOf } from './attempt-failure.js';
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
  const delay = delayAfter(failure, { options: retry, attempts, begun }, timing);
  if (delay === undefined)
    throw toError(failure, { model: model.modelId, attempts, headers: options.headers });
  await timing.sleep(delay, signal);
}

const PASSING: ReadonlySet<number> = new Set([408, 409, 429]);

/** A quota that waiting does not refill. */
const EXHAUSTED: ReadonlySet<string | undefined> = new Set([
  'insufficient_quota',
  'billing_hard_limit_reached',
]);

/** Milliseconds until the next attempt; undefined for no further attempt. */
function delayAfter(failure: AttemptFailure, state: ModelRetryState, timing: Timing): number | undefined {
  if (!mayPass(failure)) return undefined;
  const asked = failure.kind === 'http' ? retryAfterWait(failure.headers, timing.now()) : undefined;
  return retryDelay(state, asked, timing);
}

function mayPass(failure: AttemptFailure): boolean {
  if (failure.kind === 'connection') return failure.again;
  if (failure.kind !== 'http' || EXHAUSTED.has(failure.reason)) return false;
  return PASSING.has(failure.status) || failure.status >= 500;
}
