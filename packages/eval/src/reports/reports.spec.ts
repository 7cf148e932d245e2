import { XMLParser } from 'fast-xml-parser';

import { type EvalCaseResult, EvalReport } from '../eval-report.js';
import { formatHtml } from './html.js';
import { formatJunit } from './junit.js';

const HOSTILE = `</pre><script>alert("1")</script> & ' \u0000 \ud800 ]]>`;

describe('a report', () => {
  const report = new EvalReport(
    HOSTILE,
    [
      resultOf('good', 'passed'),
      resultOf(HOSTILE, 'failed', {
        metricName: 'score',
        threshold: 1,
        score: 0.5,
        evalStatus: 'failed',
        detail: HOSTILE,
      }),
      { ...resultOf('broken', 'error'), error: HOSTILE },
      resultOf('empty', 'notEvaluated'),
    ],
    ['rouge_l_f1'],
  );

  it('for CI has a test case for each playing, and one for each idle metric', () => {
    const xml = formatJunit([report]);

    const { testsuites } = new XMLParser({ ignoreAttributes: false, parseAttributeValue: true }).parse(
      xml,
    ) as {
      testsuites: { testsuite: Record<string, unknown> & { testcase: Record<string, unknown>[] } };
    };
    const { testsuite } = testsuites;
    expect(testsuite).toMatchObject({
      '@_tests': 5,
      '@_failures': 2,
      '@_errors': 1,
      '@_skipped': 1,
      '@_time': 0.05,
    });
    expect(testsuite.testcase.map((one) => Object.keys(one).find((key) => !key.startsWith('@_')))).toEqual([
      undefined,
      'failure',
      'error',
      'skipped',
      'failure',
    ]);
  });

  it('as a page has no script and asks for nothing, whatever it says', () => {
    const html = formatHtml([report]);

    expect(html).not.toMatch(/<script|src=|href=|url\(/);
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    expect(html.includes('\u0000')).toBe(false);
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;');
  });

  it('as a page shows rates with their intervals, and how scores are spread', () => {
    const html = formatHtml([report]);

    expect(html).toContain('1 of 3 playings passed: between');
    expect(html.match(/<svg /g)).toHaveLength(3 + 2);
    expect(html).toContain('<b>score</b> mean 0.75 (0.5 to 1), ≥ 1');
  });

  it('as a page has a square for each playing, and opens the cases that have not passed', () => {
    const html = formatHtml([report]);

    expect(html.match(/<i class="(passed|failed|error|notEvaluated)">/g)).toHaveLength(4);
    expect(html.match(/<details class="case" open>/g)).toHaveLength(3);
    expect(html.match(/<details class="case">/g)).toHaveLength(1);
  });

  it('of nothing is a page and a suite, too', () => {
    const empty = new EvalReport('none', []);
    expect(formatHtml([empty])).toContain('nothing was evaluated');
    expect(suitesOf(formatJunit([empty])).testsuite).toMatchObject({ '@_name': 'none', '@_failures': 1 });
  });
});

interface Suites {
  readonly testsuite: Record<string, unknown> & { readonly testcase: readonly Record<string, unknown>[] };
}

function suitesOf(xml: string): Suites {
  const parser = new XMLParser({ ignoreAttributes: false, parseAttributeValue: true });
  return (parser.parse(xml) as { testsuites: Suites }).testsuites;
}

function resultOf(
  evalId: string,
  finalEvalStatus: EvalCaseResult['finalEvalStatus'],
  score: EvalCaseResult['overallEvalMetricResults'][number] = {
    ...{ metricName: 'score', threshold: 1, score: 1, evalStatus: 'passed' },
  },
): EvalCaseResult {
  const isPlayed = finalEvalStatus === 'passed' || finalEvalStatus === 'failed';
  return {
    ...{ evalSetId: 's', evalId, finalEvalStatus, run: 1, sessionId: 'x', userId: 'u', durationMs: 12.5 },
    overallEvalMetricResults: isPlayed ? [score] : [],
    evalMetricResultPerInvocation: [
      {
        actualInvocation: { userContent: { parts: [{ text: HOSTILE }] } },
        expectedInvocation: { userContent: { parts: [{ text: HOSTILE }] } },
        evalMetricResults: [score],
      },
    ],
  };
}
