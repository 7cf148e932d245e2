import { jitteredWait, ModelAttempt, retryAfterWait, type Timing } from '@adorn/core/backend';

import type { AiSdkRetryOptions } from '../ai-sdk-options.js';
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
  const delay = retryDelay(failure, { options: retry, attempts, begun }, timing);
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

interface RetryState {
  readonly options: AiSdkRetryOptions;
  /** How many attempts were made. */
  readonly attempts: number;
  /** When the first one began, as `timing.now()` gives it. */
  readonly begun: number;
}

/** Milliseconds until the next attempt; undefined for no further attempt. */
function retryDelay(failure: AttemptFailure, state: RetryState, timing: Timing): number | undefined {
  const { attempts = 5, maxTotal = 120_000 } = state.options;
  if (!mayPass(failure) || state.attempts >= attempts) return undefined;
  const asked = failure.kind === 'http' ? retryAfterWait(failure.headers, timing.now()) : undefined;
  const delay = asked ?? jitteredWait(state.options, state.attempts, timing);
  return timing.now() + delay - state.begun > maxTotal ? undefined : delay;
}

function mayPass(failure: AttemptFailure): boolean {
  if (failure.kind === 'connection') return failure.again;
  if (failure.kind !== 'http' || EXHAUSTED.has(failure.reason)) return false;
  return PASSING.has(failure.status) || failure.status >= 500;
}
