import { jitteredWait, retryAfterWait, type Timing } from '@adorn/core/backend';
import type { AiSdkRetryOptions } from '../ai-sdk-options.js';
import type { AttemptFailure } from './attempt-failure.js';

const PASSING: ReadonlySet<number> = new Set([408, 409, 429]);

/** A quota that waiting does not refill. */
const EXHAUSTED: ReadonlySet<string | undefined> = new Set([
  'insufficient_quota',
  'billing_hard_limit_reached',
]);

export interface RetryState {
  readonly options: AiSdkRetryOptions;
  /** How many attempts were made. */
  readonly attempts: number;
  /** When the first one began, as `timing.now()` gives it. */
  readonly begun: number;
}

/** Milliseconds until the next attempt; undefined for no further attempt. */
export function retryDelay(failure: AttemptFailure, state: RetryState, timing: Timing): number | undefined {
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
