import type { EvalCaseResult, EvalReport } from '../eval-report.js';
import { type Interval, meanInterval, meanOf, rateInterval } from './intervals.js';

/** How often something passed. */
export interface RateSummary {
  readonly passed: number;
  /** Without those of which nothing was evaluated. */
  readonly total: number;
  /** 0 if nothing was evaluated. */
  readonly rate: number;
  /** At 95 %, by Wilson. Absent if nothing was evaluated. */
  readonly interval?: Interval;
}

/** The values of a metric or gate. */
export interface ScoreSummary {
  readonly name: string;
  readonly isGate: boolean;
  readonly threshold: number;
  readonly mean: number;
  /**
   * Of the mean, at 95 %, by the bootstrap: over the cases, each with the mean of its runs; over the runs if there is one case.
   */
  readonly interval: Interval;
  /** One for each playing. */
  readonly scores: readonly number[];
}

/** A report in numbers. */
export interface EvalSummary extends RateSummary {
  readonly cases: readonly (RateSummary & { readonly evalId: string })[];
  readonly scores: readonly ScoreSummary[];
}

/** The rates and scores of a report, with their intervals. */
export function summaryOf({ caseResults }: Pick<EvalReport, 'caseResults'>): EvalSummary {
  const ids = [...new Set(caseResults.map(({ evalId }) => evalId))];
  return {
    ...rateOf(caseResults),
    cases: ids.map((evalId) => ({ evalId, ...rateOf(caseResults.filter((one) => one.evalId === evalId)) })),
    scores: scoresOf(caseResults),
  };
}

function rateOf(results: readonly EvalCaseResult[]): RateSummary {
  const played = results.filter(({ finalEvalStatus }) => finalEvalStatus !== 'notEvaluated');
  const passed = played.filter(({ finalEvalStatus }) => finalEvalStatus === 'passed').length;
  const total = played.length;
  if (total === 0) return { passed, total, rate: 0 };
  return { passed, total, rate: passed / total, interval: rateInterval(passed, total) };
}

function scoresOf(results: readonly EvalCaseResult[]): ScoreSummary[] {
  const found = new Map<string, { isGate: boolean; threshold: number; byCase: Map<string, number[]> }>();
  for (const { evalId, overallEvalMetricResults } of results)
    for (const { metricName, threshold, score, isGate = false } of overallEvalMetricResults) {
      if (score === undefined) continue;
      const own = found.get(metricName) ?? { isGate, threshold, byCase: new Map<string, number[]>() };
      found.set(metricName, own);
      own.byCase.set(evalId, [...(own.byCase.get(evalId) ?? []), score]);
    }
  return [...found].map(([name, { isGate, threshold, byCase }]) => {
    const scores = [...byCase.values()].flat();
    const units = byCase.size > 1 ? [...byCase.values()].map((own) => meanOf(own)) : scores;
    return { name, isGate, threshold, mean: meanOf(scores), interval: meanInterval(units), scores };
  });
}
