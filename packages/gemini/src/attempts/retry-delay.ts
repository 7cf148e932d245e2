import type { AttemptFailure } from './attempt-failure.js';
import type { GeminiRetryOptions } from '../gemini-options.js';
import type { HttpFailure } from './http-failure.js';
import type { Timing } from '../timing.js';

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
  const delay = asked ?? ownDelay(state, timing);
  return timing.now() + delay - state.begun > maxTotal ? undefined : delay;
}

function mayPass(failure: AttemptFailure): boolean {
  return failure.kind === 'http'
    ? PASSING.has(failure.failure.status)
    : failure.kind === 'connection' && failure.again;
}

/** Full jitter: anything up to a bound that doubles, so that many askers do not come back together. */
function ownDelay({ options, attempts }: RetryState, timing: Timing): number {
  const { initialDelay = 1_000, maxDelay = 30_000 } = options;
  return Math.round(timing.random() * Math.min(maxDelay, initialDelay * 2 ** (attempts - 1)));
}

/** The longer delay of the header and Google's `RetryInfo`. */
function delayAskedFor({ retryAfter, details }: HttpFailure, now: number): number | undefined {
  const said = [readRetryAfter(retryAfter, now), readRetryInfo(details)].filter(
    (delay) => delay !== undefined,
  );
  return said.length === 0 ? undefined : Math.max(...said);
}

function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(header.trim())) return Math.ceil(Number(header) * 1_000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function readRetryInfo(details: HttpFailure['details']): number | undefined {
  const info = details.find((detail) => detail['@type'] === 'type.googleapis.com/google.rpc.RetryInfo');
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(
    typeof info?.['retryDelay'] === 'string' ? info['retryDelay'] : '',
  );
  return seconds === null ? undefined : Math.ceil(Number(seconds[1]) * 1_000);
}
