import { type OptionRules, optionFault, rule } from '@adorn/core/backend';

import { EvalConfigInvalidError } from '../errors.js';
import type { EvalCaseResult, EvalReport } from '../eval-report.js';
import { type Interval, meanInterval, meanOf } from './intervals.js';
import { adjusted, mcnemar, permutationTest } from './paired-tests.js';

/** How two versions differ in one thing. */
export interface Difference {
  /**
   * The name of a metric or gate; `passed` for the share of the playings that passed, of those that both versions have played without
   * an error; `finished` for the share of all that ended without one, where some did not.
   */
  readonly name: string;
  /** A share of the playings, 0 to 1: those that passed, or in which the gate holds. Of a metric: the mean of its scores. */
  readonly before: number;
  readonly after: number;
  /** Of the mean of the differences, at 95 %. */
  readonly interval: Interval;
  /** Of a gate: the means of what it measures, such as calls of tools. They do not count, as long as the gate holds. */
  readonly measured?: { readonly before: number; readonly after: number };
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

/** How two versions differ in one case. */
export interface CaseDifference {
  readonly evalId: string;
  /** How many of its playings were compared. */
  readonly pairs: number;
  /** The shares of them that passed, 0 to 1. */
  readonly before: number;
  readonly after: number;
}

/** Two versions of an agent, on the same cases. */
export interface EvalComparison {
  /** How many playings were compared: of the same case, with the same number of the run. */
  readonly pairs: number;
  /** The first is `passed`, the second `finished` if a playing ended with an error. */
  readonly differences: readonly Difference[];
  /** Each case that was compared, in the order of the later report. Too few playings for a verdict of their own. */
  readonly cases: readonly CaseDifference[];
  /**
   * What passes decides, with what finishes and the gates: whether each holds. If both versions are alike in these, the scores of the metrics
   * decide. `mixed`: of those that decide, one is better and another one worse.
   */
  readonly verdict: Difference['verdict'] | 'mixed';
}

/**
 * Compares two versions of an agent by their reports on the same eval set: each playing of the one with that of the other. Whether
 * they pass and whether gates hold is tested by McNemar, scores by a paired permutation test. It tells about these cases. Playings
 * with an error, of either version, count for `finished` alone: a version that breaks more often is worse.
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
  checkCompareOptions('compareReports', options);
  const played = pairsOf(before.caseResults, after.caseResults);
  const pairs = played.filter((pair) => pair.every(hasFinished));
  if (pairs.length === 0)
    throw new EvalConfigInvalidError(
      'compareReports',
      'the reports have no case in common that was played without an error',
      'Evaluate both versions with the same set, and as many runs.',
    );
  const tests = [
    passedTest(pairs),
    ...(played.length > pairs.length ? [finishedTest(played)] : []),
    ...metricNames(pairs).flatMap((name) => metricTest(pairs, name)),
  ];
  const pValues = adjusted(tests.map(({ pValue }) => pValue));
  const { alpha = 0.05 } = options;
  const differences = tests.map(({ decides: _, ...test }, index): Difference => {
    const pValue = pValues[index] ?? 1;
    const verdict = pValue > alpha ? 'unclear' : test.after > test.before ? 'better' : 'worse';
    return { ...test, pValue, verdict };
  });
  const verdicts = (decides: Test['decides']): Difference['verdict'][] =>
    differences.flatMap(({ verdict }, index) => (tests[index]?.decides === decides ? [verdict] : []));
  const first = verdictOf(verdicts('first'));
  return {
    pairs: pairs.length,
    differences,
    cases: casesOf(pairs),
    verdict: first === 'unclear' ? verdictOf(verdicts('second')) : first,
  };
}

/** @throws {EvalConfigInvalidError} */
export function checkCompareOptions(owner: string, options: CompareOptions): void {
  const found = optionFault(options, RULES);
  if (found) throw new EvalConfigInvalidError(owner, found.fault, found.cure);
}

function verdictOf(verdicts: readonly Difference['verdict'][]): EvalComparison['verdict'] {
  const isWorse = verdicts.includes('worse');
  if (verdicts.includes('better')) return isWorse ? 'mixed' : 'better';
  return isWorse ? 'worse' : 'unclear';
}

/** A comparison as lines of text. */
export function linesOfComparison({ pairs, differences, cases, verdict }: EvalComparison): string[] {
  const lines = differences.map(({ name, before, after, interval, measured, pValue, verdict: own }) => {
    const [low, high] = [signed(interval.low), signed(interval.high)];
    const p = pValue < 0.0001 ? '< 0.0001' : `= ${pValue.toFixed(4)}`;
    const values = `${before.toFixed(3)} → ${after.toFixed(3)}`;
    const line = `${own.padEnd(7)}  ${measured ? `${name} holds` : name}  ${values}  difference ${low} to ${high} (95 %), p ${p}`;
    return measured ? `${line}, measured ${measured.before.toFixed(3)} → ${measured.after.toFixed(3)}` : line;
  });
  const changed = cases.filter(({ before, after }) => before !== after);
  const ofCases = changed.map(
    ({ evalId, before, after }) => `case     ${evalId}  passed ${before.toFixed(3)} → ${after.toFixed(3)}`,
  );
  return [`${verdict}, by ${String(pairs)} pairs`, ...lines, ...ofCases];
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}

type Pair = readonly [before: EvalCaseResult, after: EvalCaseResult];

interface Test extends Omit<Difference, 'verdict'> {
  /** Metrics decide only if what passes and what holds does not. */
  readonly decides: 'first' | 'second';
}

function pairsOf(before: readonly EvalCaseResult[], after: readonly EvalCaseResult[]): Pair[] {
  const known = new Map(before.map((result) => [keyOf(result), result]));
  return after.flatMap((result): Pair[] => {
    const earlier = known.get(keyOf(result));
    return earlier ? [[earlier, result]] : [];
  });
}

function hasFinished({ finalEvalStatus }: EvalCaseResult): boolean {
  return finalEvalStatus !== 'error';
}

function finishedTest(pairs: readonly Pair[]): Test {
  return shareTest(
    'finished',
    pairs.map((pair) => pair.map(hasFinished)),
  );
}

function keyOf({ evalId, run }: EvalCaseResult): string {
  return JSON.stringify([evalId, run]);
}

function casesOf(pairs: readonly Pair[]): CaseDifference[] {
  return [...new Set(pairs.map(([, { evalId }]) => evalId))].map((evalId) => {
    const own = pairs.filter(([, after]) => after.evalId === evalId);
    const shareOf = (results: readonly EvalCaseResult[]): number =>
      meanOf(results.map(({ finalEvalStatus }) => Number(finalEvalStatus === 'passed')));
    return {
      evalId,
      pairs: own.length,
      before: shareOf(own.map(([before]) => before)),
      after: shareOf(own.map(([, after]) => after)),
    };
  });
}

function passedTest(pairs: readonly Pair[]): Test {
  return shareTest(
    'passed',
    pairs.map((pair) => pair.map(({ finalEvalStatus }) => finalEvalStatus === 'passed')),
  );
}

function metricNames(pairs: readonly Pair[]): string[] {
  const all = pairs.flatMap((pair) =>
    pair.flatMap(({ overallEvalMetricResults }) => overallEvalMetricResults),
  );
  return [...new Set(all.map(({ metricName }) => metricName))];
}

/** None if the metric or gate has not looked at both of one pair. */
function metricTest(pairs: readonly Pair[], name: string): Test[] {
  const results = pairs.flatMap((pair) => {
    const own = pair.flatMap(({ overallEvalMetricResults }) => {
      const result = overallEvalMetricResults.find(({ metricName }) => metricName === name);
      return result?.score === undefined ? [] : [{ ...result, score: result.score }];
    });
    return own.length === 2 ? [own] : [];
  });
  if (results.length === 0) return [];
  const scores = results.map((pair) => pair.map(({ score }) => score));
  const values = valuesOf(name, scores);
  if (results.some((pair) => pair.some(({ isGate }) => isGate === true))) {
    const { before, after } = values;
    const holds = results.map((pair) => pair.map(({ evalStatus }) => evalStatus === 'passed'));
    return [{ ...shareTest(name, holds), measured: { before, after } }];
  }
  const differences = scores.map(([before = 0, after = 0]) => after - before);
  return [{ ...values, pValue: permutationTest(differences), decides: 'second' }];
}

/** Of something that is true or not in each playing. */
function shareTest(name: string, pairs: readonly (readonly boolean[])[]): Test {
  const numbers = pairs.map((pair) => pair.map(Number));
  const worse = numbers.filter(([before = 0, after = 0]) => before > after).length;
  const better = numbers.filter(([before = 0, after = 0]) => before < after).length;
  return { ...valuesOf(name, numbers), pValue: mcnemar(worse, better), decides: 'first' };
}

function valuesOf(name: string, pairs: readonly (readonly number[])[]) {
  return {
    name,
    before: meanOf(pairs.map(([before = 0]) => before)),
    after: meanOf(pairs.map(([, after = 0]) => after)),
    interval: meanInterval(pairs.map(([before = 0, after = 0]) => after - before)),
  };
}
