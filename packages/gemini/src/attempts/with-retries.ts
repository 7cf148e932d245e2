import { contextRefusal, retryAfterWait, withModelRetries } from '@adorn/core/backend';

import type { GeminiErrand } from '../gemini-call.js';
import { type AttemptFailure, failureOf } from './attempt-failure.js';
import { GeminiAttempt } from './gemini-attempt.js';
import type { HttpFailure } from './http-failure.js';
import { toGeminiError } from './to-gemini-error.js';

/** Makes attempts until one succeeds. @throws an AdornError when all attempts failed */
export function withRetries<Result>(
  call: GeminiErrand,
  stream: boolean,
  run: (attempt: GeminiAttempt) => Promise<Result>,
): Promise<Result> {
  const { signal, timeout, timing } = call;
  return withModelRetries(call, {
    begin: () => new GeminiAttempt({ signal, timeout, stream }),
    run,
    judge: (thrown, attempt) => {
      const failure = failureOf(thrown, attempt);
      return {
        mayPass: mayPass(failure),
        askedWait: failure.kind === 'http' ? delayAskedFor(failure.failure, timing.now()) : undefined,
        toError: (attempts) => toGeminiError(failure, { call, attempts, host: attempt.host }),
      };
    },
  });
}

const PASSING = new Set([429, 500, 502, 503, 504]);

function mayPass(failure: AttemptFailure): boolean {
  return failure.kind === 'http'
    ? PASSING.has(failure.failure.status) && !contextRefusal(failure.failure)
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
