import { type AttemptFailure, failureOf } from './attempt-failure.js';
import { GeminiAttempt } from './gemini-attempt.js';
import type { GeminiErrand } from '../gemini-call.js';
import { retryDelay } from './retry-delay.js';
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
  const delay = retryDelay(failure, { options: call.retry, attempts, begun }, call.timing);
  if (delay === undefined) throw toGeminiError(failure, { call, attempts, host });
  await call.timing.sleep(delay, call.signal);
}
