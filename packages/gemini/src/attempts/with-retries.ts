import { type ModelRetryState, retryAfterWait, retryDelay, type Timing } from '@adorn/core/backend';

import type { GeminiErrand } from '../gemini-call.js';
import { type AttemptFailure, failureOf } from './attempt-failure.js';
import { GeminiAttempt } from './gemini-attempt.js';
import type { HttpFailure } from './http-failure.js';
import { toGeminiError } from './to-gemini-error.js';

/**
 * Makes attempts until one succeeds, waiting in between. The attempt that succeeded is the caller's to end.
 *
 * @throws the signal's reason as soon as the invocation is cancelled, and an AdornError when all was in vain.
 */
export async function withRetries<Result>(
  call: GeminiErrand,
  stream: boolean,
  run: (attempt: GeminiAttempt) => Promise<Result>,
): Promise<Result> {
  const begun = call.timing.now();
  for (let attempts = 1; ; attempts += 1) {
    call.signal.throwIfAborted();
    const attempt = new GeminiAttempt({ signal: call.signal, timeout: call.timeout, stream });
    try {
      return await run(attempt);
    } catch (error) {
      attempt.end('given up');
      call.signal.throwIfAborted();
      await waitOrThrow(failureOf(error, attempt), { call, attempts, begun, host: attempt.host });
    }
  }
}

interface Situation {
  readonly call: GeminiErrand;
  readonly attempts: number;
  readonly begun: number;
  readonly host: string;
}

async function waitOrThrow(
  failure: AttemptFailure,
  { call, attempts, begun, host }: Situation,
): Promise<void> {
  const delay = delayAfter(failure, { options: call.retry, attempts, begun }, call.timing);
  if (delay === undefined) throw toGeminiError(failure, { call, attempts, host });
  await call.timing.sleep(delay, call.signal);
}

const PASSING = new Set([429, 500, 502, 503, 504]);

/** Milliseconds until the next attempt; undefined for no further attempt. */
function delayAfter(failure: AttemptFailure, state: ModelRetryState, timing: Timing): number | undefined {
  if (!mayPass(failure)) return undefined;
  const asked = failure.kind === 'http' ? delayAskedFor(failure.failure, timing.now()) : undefined;
  return retryDelay(state, asked, timing);
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
