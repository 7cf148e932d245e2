import { binomialDistribution } from 'simple-statistics';

import { meanOf, seededRandom } from './intervals.js';

/** Up to so many pairs that differ, all signs are tried. */
const MOST_EXACT = 14;
/** How many signs are drawn for more pairs. */
const DRAWS = 20_000;

/**
 * McNemar's test, exact: how probable it is that of the pairs in which only one has passed, at least so many fall on one side, if
 * both are equally good.
 *
 * @param worse pairs in which only the first has passed
 * @param better pairs in which only the second has passed
 */
export function mcnemar(worse: number, better: number): number {
  const total = worse + better;
  if (total === 0) return 1;
  const chances = binomialDistribution(total, 0.5) ?? [];
  const fewer = Math.min(worse, better);
  const tail = chances.slice(0, fewer + 1).reduce((sum, chance) => sum + chance, 0);
  return Math.min(1, 2 * tail);
}

/**
 * A paired permutation test: how probable it is that the mean of the differences is at least so far from 0, if the two of each
 * pair might as well be swapped. Exact for up to 14 pairs that differ; beyond, by 20,000 draws, which a fixed seed decides.
 */
export function permutationTest(differences: readonly number[]): number {
  const unequal = differences.filter((difference) => difference !== 0);
  if (unequal.length === 0) return 1;
  const observed = Math.abs(meanOf(unequal));
  // Sums of fractions differ in their last digits by their order.
  const isAsFar = (flipped: readonly number[]): boolean => Math.abs(meanOf(flipped)) >= observed - 1e-12;
  if (unequal.length <= MOST_EXACT) {
    const signs = 2 ** unequal.length;
    let far = 0;
    for (let bits = 0; bits < signs; bits++)
      if (isAsFar(unequal.map((difference, index) => ((bits >> index) & 1 ? -difference : difference))))
        far++;
    return far / signs;
  }
  const random = seededRandom(unequal.length);
  let far = 1;
  for (let draw = 0; draw < DRAWS; draw++)
    if (isAsFar(unequal.map((difference) => (random() < 0.5 ? -difference : difference)))) far++;
  return far / (DRAWS + 1);
}

/** Holm's correction: p values of several tests at once, in their order. */
export function adjusted(pValues: readonly number[]): number[] {
  const order = pValues.map((p, index) => ({ p, index })).sort((one, other) => one.p - other.p);
  const found: number[] = [];
  let highest = 0;
  order.forEach(({ p, index }, rank) => {
    highest = Math.max(highest, Math.min(1, p * (pValues.length - rank)));
    found[index] = highest;
  });
  return found;
}
