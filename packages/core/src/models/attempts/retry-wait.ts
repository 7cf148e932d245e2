import type { Timing } from './timing.js';

/** How long a model waits before it sends a request again, in milliseconds. */
export interface WaitOptions {
  /** The bound of the first wait; it doubles with each attempt. Default: 1,000. */
  readonly initialDelay?: number;
  /** The bound of any wait. Default: 30,000. */
  readonly maxDelay?: number;
}

/**
 * Full jitter: anything up to a bound that doubles, so that many clients do not come back together.
 *
 * @param attempts how many were made
 */
export function jitteredWait(
  { initialDelay = 1_000, maxDelay = 30_000 }: WaitOptions,
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
