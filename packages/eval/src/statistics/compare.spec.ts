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

  it('are told apart by what passes, though the better one calls more tools within its limit', () => {
    const quick = reportOf(played(20, 0.2), () => 1, { limit: 4 });
    const careful = reportOf(played(20, 1), () => 2, { limit: 4 });

    const { verdict, differences } = compareReports(quick, careful);

    expect(verdict).toBe('better');
    expect(compareReports(careful, quick).verdict).toBe('worse');
    expect(differences[1]).toMatchObject({
      ...{ name: 'score', before: 1, after: 1, verdict: 'unclear' },
      measured: { before: 1, after: 2 },
    });
    expect(linesOfComparison(compareReports(quick, careful))[2]).toContain(
      'score holds  1.000 → 1.000  difference +0.000 to +0.000 (95 %), p = 1.0000, measured 1.000 → 2.000',
    );
  });

  it('are worse if a gate holds less often, though as many pass', () => {
    const before = reportOf(
      played(40, 0.5).map((status) => (status === 'passed' ? 'failed' : 'passed')),
      () => 0,
      { limit: 0 },
    );
    const after = reportOf(played(40, 0.5), (run) => (run > 20 ? 1 : 0), { limit: 0 });

    const { verdict, differences } = compareReports(before, after);

    expect(differences).toMatchObject([
      { name: 'passed', before: 0.5, after: 0.5, verdict: 'unclear' },
      { name: 'score', before: 1, after: 0.5, verdict: 'worse' },
    ]);
    expect(verdict).toBe('worse');
  });

  it('are told apart by their scores if as many pass, and are mixed if those contradict each other', () => {
    const scored = (first: number, second: number): EvalReport =>
      reportOf(played(20, 1), () => first, { second: () => second });

    expect(compareReports(scored(0.8, 0.8), scored(0.9, 0.8)).verdict).toBe('better');
    expect(compareReports(scored(0.8, 0.8), scored(0.8, 0.7)).verdict).toBe('worse');
    expect(compareReports(scored(0.8, 0.8), scored(0.9, 0.7)).verdict).toBe('mixed');
  });

  it('are better if more pass, whatever a score says', () => {
    const before = reportOf(played(20, 0.2), () => 0.9);
    const after = reportOf(played(20, 1), () => 0.8);

    const { verdict, differences } = compareReports(before, after);

    expect(differences[1]).toMatchObject({ name: 'score', verdict: 'worse' });
    expect(verdict).toBe('better');
  });

  it('are told apart by how often they end with an error', () => {
    const before = reportOf(played(50, 1));
    const after = reportOf(
      Array.from({ length: 50 }, (_, run): EvalStatus => (run < 40 ? 'error' : 'passed')),
      () => 1,
    );

    const comparison = compareReports(before, after);

    expect(comparison).toMatchObject({ pairs: 10, verdict: 'worse' });
    expect(comparison.differences.map(({ name, before, after }) => [name, before, after])).toEqual([
      ['passed', 1, 1],
      ['finished', 1, 0.2],
      ['score', 1, 1],
    ]);
    expect(linesOfComparison(comparison)[2]).toContain('worse    finished  1.000 → 0.200');
    expect(compareReports(after, before).verdict).toBe('better');
    expect(compareReports(before, before).differences.map(({ name }) => name)).not.toContain('finished');
  });

  it('leave out playings with an error of what passed, and are refused without a pair', () => {
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

/** So many statuses, of which the given share has passed: the first ones. */
function played(count: number, share: number): EvalStatus[] {
  return Array.from({ length: count }, (_, index) => (index < share * count ? 'passed' : 'failed'));
}

interface ReportOptions {
  /** The limit of `score`, which is a gate then. */
  readonly limit?: number;
  /** The scores of a second metric. */
  readonly second?: (run: number) => number;
}

function reportOf(
  statuses: readonly EvalStatus[],
  scoreOf: (run: number) => number = (run) => (statuses[run - 1] === 'passed' ? 1 : 0),
  { limit, second }: ReportOptions = {},
): EvalReport {
  const results = statuses.map((finalEvalStatus, index): EvalCaseResult => {
    const score = scoreOf(index + 1);
    const gate = { metricName: 'score', isGate: true, threshold: limit ?? 0, score };
    const isHeld = limit !== undefined && score <= limit;
    return {
      ...{ evalSetId: 's', evalId: 'a', run: index + 1, finalEvalStatus, sessionId: 'x', userId: 'u' },
      overallEvalMetricResults: [
        limit === undefined
          ? { metricName: 'score', threshold: 1, score, evalStatus: finalEvalStatus }
          : { ...gate, evalStatus: isHeld ? 'passed' : 'failed' },
        ...(second
          ? [
              {
                ...{ metricName: 'second', threshold: 1, score: second(index + 1) },
                evalStatus: finalEvalStatus,
              },
            ]
          : []),
      ],
      evalMetricResultPerInvocation: [],
    };
  });
  return new EvalReport('s', results);
}
