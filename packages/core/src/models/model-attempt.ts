import { setTimeout as sleep } from 'node:timers/promises';

import type { AdornError } from '@adorn/schema';
import { LONGEST_TIMER } from '../runtime/clock.js';

/**
 * One request to a model. It ends when the invocation is cancelled, when nothing has arrived for the timeout, or by
 * `end`.
 */
export class ModelAttempt {
  /** True if the attempt was aborted because nothing arrived for the timeout. */
  timedOut = false;
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout | undefined;

  /** @param timeout milliseconds of silence, `Infinity` for no limit */
  constructor(
    private readonly invocation: AbortSignal,
    timeout: number,
  ) {
    invocation.addEventListener('abort', this.abort, { once: true });
    if (timeout > LONGEST_TIMER) return;
    this.timer = setTimeout(() => {
      this.timedOut = true;
      this.abort();
    }, timeout).unref();
  }

  /** Passed to the provider. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Restarts the timeout, because data has arrived. */
  heard(): void {
    this.timer?.refresh();
  }

  /** Releases the timer and listeners; closes the connection unless the answer was read completely. */
  end(outcome: 'complete' | 'given up'): void {
    clearTimeout(this.timer);
    this.invocation.removeEventListener('abort', this.abort);
    if (outcome === 'given up') this.abort();
  }

  /** Waits for work that may ignore the signal; rejects when the attempt is aborted. */
  async until<Result>(work: PromiseLike<Result>): Promise<Result> {
    let stop: (() => void) | undefined;
    const aborted = new Promise<never>((_resolve, reject) => {
      stop = () => {
        reject(new DOMException('The attempt was given up.', 'AbortError'));
      };
      if (this.signal.aborted) stop();
      else this.signal.addEventListener('abort', stop, { once: true });
    });
    try {
      return await Promise.race([work, aborted]);
    } finally {
      if (stop) this.signal.removeEventListener('abort', stop);
    }
  }

  private readonly abort = (): void => {
    this.controller.abort();
  };
}

/** How often a model sends a request again, and how long it waits. All times are in milliseconds. */
export interface ModelRetryOptions {
  /** Total number of attempts. Default: 5. */
  readonly attempts?: number;
  /** The upper bound of the first wait; it doubles with each attempt. Default: 1,000. */
  readonly initialDelay?: number;
  /** The upper bound of every wait. Default: 30,000. */
  readonly maxDelay?: number;
  /** The latest begin of an attempt, counted from the first one. Default: 120,000. */
  readonly maxTotal?: number;
}

/** The parts of a request that all its attempts share. */
export interface RetriedRequest {
  /** Aborted when the invocation is cancelled: ends the attempt and the wait for the next one. */
  readonly signal: AbortSignal;
  /** The number of attempts and the waits between them. */
  readonly retry: ModelRetryOptions;
  /** The clock that measures the waits. */
  readonly timing: Timing;
}

/** Why an attempt failed. */
export interface FailedAttempt {
  /** True if another attempt may succeed. */
  readonly mayPass: boolean;
  /** Milliseconds that the provider asks to wait, which take precedence over ours. */
  readonly askedWait?: number | undefined;
  /** The error to throw if there is no further attempt. */
  readonly toError: (attempts: number) => AdornError;
}

/** How a kind of model makes attempts. */
export interface AttemptRunner<Attempt extends ModelAttempt, Result> {
  /** Starts an attempt, with a timeout of its own. */
  readonly begin: () => Attempt;
  /** Makes the request. May reject with anything. */
  readonly run: (attempt: Attempt) => Promise<Result>;
  /** Classifies a failure: whether another attempt may succeed, and when. */
  readonly judge: (thrown: unknown, attempt: Attempt) => FailedAttempt;
}

/**
 * Makes attempts until one succeeds, waiting in between. The attempt that succeeded is the caller's to end.
 *
 * @throws the signal's reason as soon as it is aborted, and the error of the last attempt
 */
export async function withModelRetries<Attempt extends ModelAttempt, Result>(
  { signal, retry, timing }: RetriedRequest,
  { begin, run, judge }: AttemptRunner<Attempt, Result>,
): Promise<Result> {
  const latest = timing.now() + (retry.maxTotal ?? 120_000);
  for (let attempts = 1; ; attempts += 1) {
    signal.throwIfAborted();
    const attempt = begin();
    try {
      return await run(attempt);
    } catch (thrown) {
      attempt.end('given up');
      signal.throwIfAborted();
      const { mayPass, askedWait, toError } = judge(thrown, attempt);
      const wait = askedWait ?? jitteredWait(retry, attempts, timing);
      if (!mayPass || attempts >= (retry.attempts ?? 5) || timing.now() + wait > latest)
        throw toError(attempts);
      await timing.sleep(wait, signal);
    }
  }
}

/**
 * A random wait (full jitter) up to a bound that doubles with each attempt, so that clients do not retry at the same
 * time.
 */
function jitteredWait(
  { initialDelay = 1_000, maxDelay = 30_000 }: ModelRetryOptions,
  attempts: number,
  timing: Timing,
): number {
  return Math.round(timing.random() * Math.min(maxDelay, initialDelay * 2 ** (attempts - 1)));
}

/**
 * The wait that a response asks for, in milliseconds: `retry-after-ms`, else `retry-after`, which holds seconds or a date.
 *
 * @param now milliseconds since the epoch
 */
export function retryAfterWait(
  headers: Readonly<Record<string, string | undefined>>,
  now: number,
): number | undefined {
  const milliseconds = amountIn(headers['retry-after-ms']);
  if (milliseconds !== undefined) return Math.ceil(milliseconds);
  const header = headers['retry-after'];
  if (header === undefined) return undefined;
  const seconds = amountIn(header);
  if (seconds !== undefined) return Math.ceil(seconds * 1_000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** The number that a header holds; undefined if it holds something else. */
function amountIn(header: string | undefined): number | undefined {
  return header !== undefined && /^\d+(\.\d+)?$/.test(header.trim()) ? Number(header) : undefined;
}

/** Time, randomness and waiting; tests can replace them. */
export interface Timing {
  /** Milliseconds since the epoch. */
  now(): number;
  /** From 0 to just under 1. */
  random(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Real time, randomness and timers of the process: the default of the models of `@adorn/gemini` and `@adorn/ai-sdk`. */
export const SYSTEM_TIMING: Timing = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: async (ms, signal) => {
    await sleep(ms, undefined, { signal }).catch(() => {
      signal.throwIfAborted();
    });
  },
};
