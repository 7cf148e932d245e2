import { type OptionRules, optionFault, rule } from '@adorn/core/backend';

import { EvalConfigInvalidError } from '../errors.js';
import type { EvalCaseResult, EvalReport } from '../eval-report.js';
import { type Interval, meanInterval, meanOf } from './intervals.js';
import { adjusted, mcnemar, permutationTest } from './paired-tests.js';

/** How two versions differ in one thing. */
export interface Difference {
  /** The name of a metric or gate; `passed` for the share of the playings that passed. */
  readonly name: string;
  readonly before: number;
  readonly after: number;
  /** Of the mean of the differences, at 95 %. */
  readonly interval: Interval;
  /** How probable such a difference is if the versions are equally good, corrected for the number of differences (Holm). */
  readonly pValue: number;
  /** `unclear`: the p value is above `alpha`. */
  readonly verdict: 'better' | 'worse' | 'unclear';
}

/** The options of {@link compareReports}. */
export interface CompareOptions {
  /** The p value up to which a difference counts. Default: 0.05. */
  readonly alpha?: number;
}

const RULES: OptionRules<CompareOptions> = {
  alpha: rule(
    (value) => typeof value === 'number' && value > 0 && value < 1,
    'Pass a number between 0 and 1.',
  ),
};

/** Two versions of an agent, on the same cases. */
export interface EvalComparison {
  /** How many playings were compared: of the same case, with the same number of the run. */
  readonly pairs: number;
  /** The first is `passed`. */
  readonly differences: readonly Difference[];
  /** `worse` if one difference is. */
  readonly verdict: Difference['verdict'];
}

/**
 * Compares two versions of an agent by their reports on the same eval set: each playing of the one with that of the other. Whether
 * they pass is tested by McNemar, scores by a paired permutation test. It tells about these cases. Cases with an error are left
 * out.
 *
 * @param before the earlier version
 * @param after the later one
 * @throws {EvalConfigInvalidError} (`EVAL_CONFIG_INVALID`) if the reports have no playing in common
 */
export function compareReports(
  before: Pick<EvalReport, 'caseResults'>,
  after: Pick<EvalReport, 'caseResults'>,
  options: CompareOptions = {},
): EvalComparison {
  const found = optionFault(options, RULES);
  if (found) throw new EvalConfigInvalidError('compareReports', found.fault, found.cure);
  const pairs = pairsOf(before.caseResults, after.caseResults);
  if (pairs.length === 0)
    throw new EvalConfigInvalidError(
      'compareReports',
      'the reports have no case in common that was played without an error',
      'Evaluate both versions with the same set, and as many runs.',
    );
  const tests = [passedTest(pairs), ...metricNames(pairs).flatMap((name) => metricTest(pairs, name))];
  const pValues = adjusted(tests.map(({ pValue }) => pValue));
  const { alpha = 0.05 } = options;
  const differences = tests.map((test, index) => {
    const pValue = pValues[index] ?? 1;
    const isBetter = test.lowIsGood ? test.after < test.before : test.after > test.before;
    const verdict = pValue > alpha ? 'unclear' : isBetter ? 'better' : 'worse';
    const { name, before: earlier, after: later, interval } = test;
    return { name, before: earlier, after: later, interval, pValue, verdict } as const;
  });
  const has = (verdict: Difference['verdict']): boolean =>
    differences.some((difference) => difference.verdict === verdict);
  return {
    pairs: pairs.length,
    differences,
    verdict: has('worse') ? 'worse' : has('better') ? 'better' : 'unclear',
  };
}

/** A comparison as lines of text. */
export function linesOfComparison({ pairs, differences, verdict }: EvalComparison): string[] {
  const lines = differences.map(({ name, before, after, interval, pValue, verdict: own }) => {
    const [low, high] = [signed(interval.low), signed(interval.high)];
    const p = pValue < 0.0001 ? '< 0.0001' : `= ${pValue.toFixed(4)}`;
    const values = `${before.toFixed(3)} → ${after.toFixed(3)}`;
    return `${own.padEnd(7)}  ${name}  ${values}  difference ${low} to ${high} (95 %), p ${p}`;
  });
  return [`${verdict}, by ${String(pairs)} pairs`, ...lines];
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}

type Pair = readonly [before: EvalCaseResult, after: EvalCaseResult];

interface Test {
  readonly name: string;
  readonly before: number;
  readonly after: number;
  readonly interval: Interval;
  readonly pValue: number;
  /** True for a gate. */
  readonly lowIsGood: boolean;
}

function pairsOf(before: readonly EvalCaseResult[], after: readonly EvalCaseResult[]): Pair[] {
  const known = new Map(before.map((result) => [keyOf(result), result]));
  return after.flatMap((result): Pair[] => {
    const earlier = known.get(keyOf(result));
    const isWhole = earlier?.finalEvalStatus !== 'error' && result.finalEvalStatus !== 'error';
    return earlier && isWhole ? [[earlier, result]] : [];
  });
}

function keyOf({ evalId, run }: EvalCaseResult): string {
  return JSON.stringify([evalId, run]);
}

function passedTest(pairs: readonly Pair[]): Test {
  const passed = pairs.map((pair) =>
    pair.map(({ finalEvalStatus }) => (finalEvalStatus === 'passed' ? 1 : 0)),
  );
  const worse = passed.filter(([before = 0, after = 0]) => before > after).length;
  const better = passed.filter(([before = 0, after = 0]) => before < after).length;
  return { ...valuesOf('passed', passed), pValue: mcnemar(worse, better), lowIsGood: false };
}

function metricNames(pairs: readonly Pair[]): string[] {
  const all = pairs.flatMap((pair) =>
    pair.flatMap(({ overallEvalMetricResults }) => overallEvalMetricResults),
  );
  return [...new Set(all.map(({ metricName }) => metricName))];
}

/** None if the metric has not looked at both of one pair. */
function metricTest(pairs: readonly Pair[], name: string): Test[] {
  let lowIsGood = false;
  const scores = pairs.flatMap((pair) => {
    const own = pair.map(({ overallEvalMetricResults }) =>
      overallEvalMetricResults.find(({ metricName }) => metricName === name),
    );
    lowIsGood ||= own.some((result) => result?.isGate === true);
    const values = own.flatMap((result) => (result?.score === undefined ? [] : [result.score]));
    return values.length === 2 ? [values] : [];
  });
  if (scores.length === 0) return [];
  const differences = scores.map(([before = 0, after = 0]) => after - before);
  return [{ ...valuesOf(name, scores), pValue: permutationTest(differences), lowIsGood }];
}

function valuesOf(name: string, pairs: readonly (readonly number[])[]) {
  return {
    name,
    before: meanOf(pairs.map(([before = 0]) => before)),
    after: meanOf(pairs.map(([, after = 0]) => after)),
    interval: meanInterval(pairs.map(([before = 0, after = 0]) => after - before)),
  };
}
