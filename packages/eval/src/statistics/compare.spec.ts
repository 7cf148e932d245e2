import { type EvalCaseResult, EvalReport, type EvalStatus } from '../eval-report.js';
import { compareReports, linesOfComparison } from './compare.js';
import { summaryOf } from './summary.js';

describe('two versions', () => {
  it('of which one fails more often are told apart, with the p value of McNemar', () => {
    const before = reportOf(Array.from({ length: 20 }, () => 'passed'));
    const after = reportOf(Array.from({ length: 20 }, (_, run) => (run < 8 ? 'failed' : 'passed')));

    const comparison = compareReports(before, after);

    expect(comparison).toMatchObject({ pairs: 20, verdict: 'worse' });
    expect(comparison.differences[0]).toMatchObject({
      name: 'passed',
      before: 1,
      after: 0.6,
      verdict: 'worse',
    });
    // Exact for 8 of 8: 2 · 0.5 ** 8, twice for the two differences.
    expect(comparison.differences[0]?.pValue).toBeCloseTo(2 * 2 * 0.5 ** 8, 10);
    expect(compareReports(after, before).verdict).toBe('better');
    expect(linesOfComparison(comparison)[1]).toContain('worse    passed  1.000 → 0.600');
  });

  it('that differ in one of twenty are not', () => {
    const before = reportOf(Array.from({ length: 20 }, () => 'passed'));
    const after = reportOf(Array.from({ length: 20 }, (_, run) => (run < 1 ? 'failed' : 'passed')));

    expect(compareReports(before, after).verdict).toBe('unclear');
  });

  it('are better with a lower value of a gate', () => {
    const gate = (value: number): EvalReport =>
      reportOf(
        Array.from({ length: 10 }, () => 'passed'),
        () => value,
        true,
      );

    const { differences } = compareReports(gate(5), gate(2));

    expect(differences[1]).toMatchObject({ name: 'score', before: 5, after: 2, verdict: 'better' });
  });

  it('leave out playings with an error, and are refused without a pair', () => {
    const before = reportOf(['passed', 'error', 'passed']);
    expect(compareReports(before, reportOf(['passed', 'passed', 'error'])).pairs).toBe(1);
    expect(() => compareReports(before, reportOf([]))).toThrow(
      expect.objectContaining({ code: 'EVAL_CONFIG_INVALID' }) as Error,
    );
    expect(() => compareReports(before, before, { alpha: 2 })).toThrow('alpha is 2');
  });
});

describe('a summary', () => {
  it('has the rate of each case and the mean of each score, with their intervals', () => {
    const report = reportOf(['passed', 'failed', 'passed', 'notEvaluated'], (run) => run / 10);

    const { passed, total, cases, scores } = summaryOf(report);

    expect([passed, total]).toEqual([2, 3]);
    expect(cases).toMatchObject([{ evalId: 'a', passed: 2, total: 3 }]);
    expect(scores).toMatchObject([{ name: 'score', isGate: false, mean: 0.25 }]);
    expect(summaryOf(new EvalReport('s', []))).toEqual({
      passed: 0,
      total: 0,
      rate: 0,
      cases: [],
      scores: [],
    });
  });
});

function reportOf(
  statuses: readonly EvalStatus[],
  scoreOf: (run: number) => number = (run) => (statuses[run - 1] === 'passed' ? 1 : 0),
  isGate = false,
): EvalReport {
  const results = statuses.map((finalEvalStatus, index): EvalCaseResult => {
    const score = scoreOf(index + 1);
    return {
      ...{ evalSetId: 's', evalId: 'a', run: index + 1, finalEvalStatus, sessionId: 'x', userId: 'u' },
      overallEvalMetricResults: [
        { metricName: 'score', threshold: 1, score, evalStatus: finalEvalStatus, ...(isGate && { isGate }) },
      ],
      evalMetricResultPerInvocation: [],
    };
  });
  return new EvalReport('s', results);
}
