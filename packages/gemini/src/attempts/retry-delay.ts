import { jitteredWait, retryAfterWait, type Timing } from '@adorn/core/backend';
import type { AttemptFailure } from './attempt-failure.js';
import type { GeminiRetryOptions } from '../gemini-options.js';
import type { HttpFailure } from './http-failure.js';

const PASSING = new Set([429, 500, 502, 503, 504]);

export interface RetryState {
  readonly options: GeminiRetryOptions;
  /** How many attempts were made. */
  readonly attempts: number;
  /** When the first one began, as `timing.now()` gives it. */
  readonly begun: number;
}

/** Milliseconds until the next attempt; undefined for no further attempt. */
export function retryDelay(failure: AttemptFailure, state: RetryState, timing: Timing): number | undefined {
  const { attempts = 5, maxTotal = 120_000 } = state.options;
  if (!mayPass(failure) || state.attempts >= attempts) return undefined;
  const asked = failure.kind === 'http' ? delayAskedFor(failure.failure, timing.now()) : undefined;
  const delay = asked ?? jitteredWait(state.options, state.attempts, timing);
  return timing.now() + delay - state.begun > maxTotal ? undefined : delay;
}

function mayPass(failure: AttemptFailure): boolean {
  return failure.kind === 'http'
    ? PASSING.has(failure.failure.status)
    : failure.kind === 'connection' && failure.again;
}

/** The longer delay of the header and Google's `RetryInfo`. */
function delayAskedFor({ retryAfter, details }: HttpFailure, now: number): number | undefined {
  const said = [retryAfterWait({ 'retry-after': retryAfter }, now), readRetryInfo(details)].filter(
    (delay) => delay !== undefined,
  );
  return said.length === 0 ? undefined : Math.max(...said);
}

function readRetryInfo(details: HttpFailure['details']): number | undefined {
  const info = details.find((detail) => detail['@type'] === 'type.googleapis.com/google.rpc.RetryInfo');
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(
    typeof info?.['retryDelay'] === 'string' ? info['retryDelay'] : '',
  );
  return seconds === null ? undefined : Math.ceil(Number(seconds[1]) * 1_000);
}
