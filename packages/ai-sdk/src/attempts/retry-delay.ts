import type { AiSdkRetryOptions } from '../ai-sdk-options.js';
import type { Timing } from '../timing.js';
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
  const asked = failure.kind === 'http' ? delayAskedFor(failure.headers, timing.now()) : undefined;
  const delay = asked ?? ownDelay(state, timing);
  return timing.now() + delay - state.begun > maxTotal ? undefined : delay;
}

function mayPass(failure: AttemptFailure): boolean {
  if (failure.kind === 'connection') return failure.again;
  if (failure.kind !== 'http' || EXHAUSTED.has(failure.reason)) return false;
  return PASSING.has(failure.status) || failure.status >= 500;
}

/** Full jitter: anything up to a bound that doubles, so that many clients do not come back together. */
function ownDelay({ options, attempts }: RetryState, timing: Timing): number {
  const { initialDelay = 1_000, maxDelay = 30_000 } = options;
  return Math.round(timing.random() * Math.min(maxDelay, initialDelay * 2 ** (attempts - 1)));
}

/** `retry-after-ms`, else `retry-after` in seconds or as a date. */
function delayAskedFor(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const milliseconds = amountIn(headers['retry-after-ms']);
  if (milliseconds !== undefined) return Math.ceil(milliseconds);
  const header = headers['retry-after'];
  if (header === undefined) return undefined;
  const seconds = amountIn(header);
  if (seconds !== undefined) return Math.ceil(seconds * 1_000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function amountIn(header: string | undefined): number | undefined {
  return header !== undefined && /^\d+(\.\d+)?$/.test(header.trim()) ? Number(header) : undefined;
}
