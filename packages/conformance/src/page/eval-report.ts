import assert from 'node:assert/strict';

import { type EvalCaseResult, type EvalMetricResult, EvalReport, formatHtml } from '@adorn/eval';
import axe from 'axe-core';
import type { Browser } from 'playwright-core';

const PLAYINGS = 10;
/** How many of ten playings of a case pass. */
const CASES = { 'refund a damaged lamp': 10, 'where is my order': 9, 'a customer who changes her mind': 4 };
const WIDTHS = [1_100, 390];

/** The report of evaluations as one file, in both themes, wide and narrow: nothing is loaded, and axe finds nothing. */
export async function showReport(browser: Browser, screenshots: string): Promise<void> {
  const html = formatHtml([new EvalReport('support desk', Object.entries(CASES).flatMap(playingsOf))]);
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of WIDTHS) {
      await using context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
      const page = await context.newPage();
      const faults: string[] = [];
      page.on('console', (message) => faults.push(message.text()));
      page.on('request', (request) => faults.push(request.url()));
      await page.setContent(html);
      const { violations } = await page.evaluate<axe.AxeResults>(`${axe.source}; axe.run()`);
      faults.push(...violations.map(({ id, help }) => `axe ${id}: ${help}`));
      const surplus = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      await page.screenshot({
        path: `${screenshots}/eval-report-${colorScheme}-${String(width)}.png`,
        fullPage: true,
      });
      assert.deepEqual(
        { faults, surplus },
        { faults: [], surplus: 0 },
        `${colorScheme}, ${String(width)} px`,
      );
    }
}

function playingsOf([evalId, passed]: [string, number]): EvalCaseResult[] {
  return Array.from({ length: PLAYINGS }, (_, index) => playing(evalId, index + 1, index < passed));
}

function playing(evalId: string, run: number, isPassed: boolean): EvalCaseResult {
  const evalStatus = isPassed ? 'passed' : 'failed';
  const score = isPassed ? 1 : run / 20;
  const overallEvalMetricResults: EvalMetricResult[] = [
    { metricName: 'tool_trajectory_avg_score', threshold: 0.8, score, evalStatus },
    { metricName: 'no_unapproved_call', isGate: true, threshold: 0, score: 0, evalStatus: 'passed' },
  ];
  return {
    ...{ evalSetId: 'support desk', evalId, run, sessionId: 's', userId: 'u', durationMs: 300 + 90 * run },
    finalEvalStatus: evalStatus,
    overallEvalMetricResults,
    evalMetricResultPerInvocation: [],
  };
}
