/** @param sorted ascending. @param share from 0 to 1 @returns NaN of no values */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
