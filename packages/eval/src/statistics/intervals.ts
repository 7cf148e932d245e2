import { quantileSorted } from 'simple-statistics';

/** Where a value lies, with a probability of 95 %. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** How many standard deviations around the mean of a normal distribution hold 95 % of it. */
const Z = 1.959963984540054;

/** How often a sample is drawn again for an interval. */
const RESAMPLES = 2_000;

/**
 * The interval of a rate, by Wilson's score: also for few cases, and for rates of 0 and 1.
 *
 * @throws {RangeError} for no cases
 */
export function rateInterval(passed: number, total: number): Interval {
  if (total <= 0 || passed < 0 || passed > total)
    throw new RangeError(`There is no rate of ${String(passed)} of ${String(total)}.`);
  const rate = passed / total;
  const scale = 1 + Z ** 2 / total;
  const middle = (rate + Z ** 2 / (2 * total)) / scale;
  const half = (Z * Math.sqrt((rate * (1 - rate)) / total + Z ** 2 / (4 * total ** 2))) / scale;
  // The score is exact there; the sums are not.
  return { low: passed === 0 ? 0 : middle - half, high: passed === total ? 1 : middle + half };
}

/**
 * The interval of a mean, or of another statistic of a sample, by the bootstrap (percentiles). The same sample gives the same
 * interval. Of one value it is that value: nothing is known of its spread.
 *
 * @throws {RangeError} for no values
 */
export function bootstrapInterval<Value>(
  values: readonly Value[],
  statistic: (sample: readonly Value[]) => number,
): Interval {
  if (values.length === 0) throw new RangeError('There is no interval of no values.');
  const random = seededRandom(values.length);
  const draws = Array.from({ length: RESAMPLES }, () =>
    statistic(values.map(() => values[Math.floor(random() * values.length)] as Value)),
  );
  const sorted = draws.filter((draw) => Number.isFinite(draw)).sort((one, other) => one - other);
  if (sorted.length === 0) return { low: Number.NaN, high: Number.NaN };
  return { low: quantileSorted(sorted, 0.025), high: quantileSorted(sorted, 0.975) };
}

/** The interval of the mean of a sample. */
export function meanInterval(values: readonly number[]): Interval {
  return bootstrapInterval(values, meanOf);
}

/** The mean of some values; NaN of none. */
export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Numbers from 0 up to 1 that a seed decides (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
