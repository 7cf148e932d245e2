import fc from 'fast-check';

import { cohensKappa, krippendorffsAlpha } from './agreement.js';
import { bootstrapInterval, meanInterval, rateInterval } from './intervals.js';
import { adjusted, mcnemar, permutationTest } from './paired-tests.js';

describe('the interval of a rate', () => {
  it.each<[number, number, number, number]>([
    // By Wilson's formula, as other programs compute it.
    [8, 10, 0.4902, 0.9433],
    [0, 10, 0, 0.2775],
    [10, 10, 0.7225, 1],
    [50, 100, 0.4038, 0.5962],
    [1000, 1000, 0.9962, 1],
  ])('of %d of %d', (passed, total, low, high) => {
    const found = rateInterval(passed, total);
    expect(found.low).toBeCloseTo(low, 3);
    expect(found.high).toBeCloseTo(high, 3);
  });

  it('holds the rate, and lies between 0 and 1', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(), (total, nat) => {
        const passed = nat % (total + 1);
        const { low, high } = rateInterval(passed, total);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(passed / total);
        expect(high).toBeGreaterThanOrEqual(passed / total);
      }),
    );
  });

  it('of nothing is refused', () => {
    expect(() => rateInterval(0, 0)).toThrow(RangeError);
    expect(() => rateInterval(3, 2)).toThrow(RangeError);
    expect(() => meanInterval([])).toThrow(RangeError);
  });
});

describe('the interval of a mean', () => {
  it('holds the mean nearly as often as it says', () => {
    // Samples of 30 from 0 to 1, whose mean is 0.5.
    let held = 0;
    for (let sample = 0; sample < 100; sample++) {
      const values = Array.from({ length: 30 }, (_, index) => fraction(sample * 30 + index));
      const { low, high } = meanInterval(values);
      if (low <= 0.5 && 0.5 <= high) held++;
    }
    expect(held / 100).toBeGreaterThan(0.88);
    expect(held / 100).toBeLessThan(1);
  });

  it('is the same for the same sample, and the value itself for one', () => {
    expect(meanInterval([1, 2, 4])).toEqual(meanInterval([1, 2, 4]));
    expect(meanInterval([3])).toEqual({ low: 3, high: 3 });
  });

  it('leaves out draws whose statistic is no number', () => {
    const pairs = [
      [true, true],
      [false, false],
      [true, false],
    ] as const;
    const { low, high } = bootstrapInterval(pairs, cohensKappa);
    expect(Number.isFinite(low) && Number.isFinite(high)).toBe(true);
  });
});

describe('McNemar', () => {
  it.each<[number, number, number]>([
    [0, 0, 1],
    [5, 5, 1],
    [0, 5, 0.0625],
    [0, 6, 0.03125],
    [1, 9, 0.021484],
    [10, 2, 0.038574],
  ])('of %d worse and %d better pairs', (worse, better, p) => {
    expect(mcnemar(worse, better)).toBeCloseTo(p, 5);
    expect(mcnemar(better, worse)).toBeCloseTo(p, 5);
  });
});

describe('the permutation test', () => {
  it.each<[readonly number[], number]>([
    [[], 1],
    [[0, 0], 1],
    [[1], 1],
    [[1, 1, 1, 1, 1], 2 / 32],
    [[1, -1], 1],
    [[3, 1, 1], 2 / 8],
  ])('of %j is exact', (differences, p) => {
    expect(permutationTest(differences)).toBeCloseTo(p, 10);
  });

  it('of many pairs is drawn, and near to the exact one', () => {
    const differences = Array.from({ length: 15 }, () => 1);
    expect(permutationTest(differences)).toBeLessThan(0.001);
    expect(permutationTest(differences.map((_, index) => (index % 2 ? 1 : -1)))).toBeGreaterThan(0.5);
    expect(permutationTest([...differences, 0])).toBe(permutationTest(differences));
  });

  it('finds a difference that is none as often as alpha says', () => {
    let found = 0;
    for (let test = 0; test < 400; test++) {
      const differences = Array.from({ length: 10 }, (_, index) => fraction(test * 10 + index) - 0.5);
      if (permutationTest(differences) <= 0.05) found++;
    }
    expect(found / 400).toBeLessThan(0.09);
    expect(found / 400).toBeGreaterThan(0.02);
  });
});

it('p values are corrected by Holm', () => {
  expect(adjusted([0.01, 0.04, 0.03])).toEqual([0.03, 0.06, 0.06]);
  expect(adjusted([0.5, 0.9])).toEqual([1, 1]);
  expect(adjusted([])).toEqual([]);
});

describe('agreement', () => {
  it('of two raters is Cohen’s kappa', () => {
    // 20 and 15 agreed, 5 and 10 not: 0.4, an example of textbooks.
    const pairs = [
      ...Array.from({ length: 20 }, () => ['yes', 'yes'] as const),
      ...Array.from({ length: 5 }, () => ['yes', 'no'] as const),
      ...Array.from({ length: 10 }, () => ['no', 'yes'] as const),
      ...Array.from({ length: 15 }, () => ['no', 'no'] as const),
    ];
    expect(cohensKappa(pairs)).toBeCloseTo(0.4, 10);
    expect(
      cohensKappa([
        ['a', 'a'],
        ['b', 'b'],
      ]),
    ).toBe(1);
    expect(cohensKappa([['a', 'a']])).toBeNaN();
  });

  it('of several votes is Krippendorff’s alpha', () => {
    expect(
      krippendorffsAlpha([
        [1, 1],
        [2, 2],
      ]),
    ).toBe(1);
    // Observed 0.5; expected 2 · 3 · 1 / (4 · 3) = 0.5.
    expect(
      krippendorffsAlpha([
        [1, 1],
        [1, 2],
      ]),
    ).toBeCloseTo(0, 10);
    expect(krippendorffsAlpha([[1], [1, 1], [2, 2]])).toBe(1);
    expect(krippendorffsAlpha([[1], [2]])).toBeNaN();
  });
});

/** Numbers that look like those of chance, by the fractional part of multiples of an irrational number. */
function fraction(index: number): number {
  const value = Math.sin(index + 1) * 43_758.5453;
  return value - Math.floor(value);
}
