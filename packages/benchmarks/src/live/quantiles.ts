import { percentile } from '../percentile.js';

/** The number of delays, their median, 99th percentile and greatest, in milliseconds, as texts. */
export function quantilesOf(delays: readonly number[]): [string, string, string, string] {
  const sorted = delays.toSorted((one, other) => one - other);
  const at = (share: number): string => percentile(sorted, share).toFixed(3);
  return [String(sorted.length), at(0.5), at(0.99), at(1)];
}
