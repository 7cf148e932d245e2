/** The number of delays, their median, 99th percentile and greatest, in milliseconds, as texts. */
export function quantilesOf(delays: readonly number[]): [string, string, string, string] {
  const sorted = Float64Array.from(delays).sort();
  const at = (share: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(3);
  return [String(sorted.length), at(0.5), at(0.99), at(1)];
}
