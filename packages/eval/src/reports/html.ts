import { type EvalCaseResult, type EvalReport, linesOf } from '../eval-report.js';
import { type EvalSummary, type ScoreSummary, summaryOf } from '../statistics/summary.js';
import { escaped } from './escape.js';
import { histogram, rateBar } from './plots.js';
import { STYLE } from './style.js';

/**
 * Reports as one HTML file, with plots, which needs no server and no network: the rate of each case with its interval, the
 * distribution of each score, and what was expected and found where a playing has not passed.
 */
export function formatHtml(reports: readonly EvalReport[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Evaluation</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Evaluation</h1>
${reports.map(sectionOf).join('\n')}
</main>
</body>
</html>
`;
}

function sectionOf(report: EvalReport): string {
  const summary = summaryOf(report);
  const { evalSetId, status, caseResults } = report;
  const idle = report.idleLines().map((line) => `<p class="failed">${escaped(line)}</p>`);
  const times = caseResults.flatMap(({ durationMs }) => (durationMs === undefined ? [] : [durationMs]));
  const cases = summary.cases.map((one) => ({
    ...one,
    results: caseResults.filter(({ evalId }) => evalId === one.evalId),
  }));
  return `<section>
<h2>${escaped(evalSetId)} ${badge(status)}</h2>
<p>${String(summary.passed)} of ${String(summary.total)} playings passed${intervalText(summary)}</p>
${idle.join('\n')}
<h3>Cases</h3>
<div class="wide" role="region" aria-label="Cases" tabindex="0"><table><thead><tr><th>case</th><th>playings</th><th>passed</th><th>rate, with its interval at 95 %</th></tr></thead><tbody>
${cases.map(caseRow).join('\n')}
</tbody></table></div>
<h3>Scores</h3>
<div class="plots">
${summary.scores.map(scorePlot).join('\n')}
${times.length === 0 ? '' : figure('milliseconds', 'of a playing', histogram(times))}
</div>
<h3>Playings</h3>
${cases.map(playingsOfCase).join('\n')}
</section>`;
}

function badge(status: EvalCaseResult['finalEvalStatus']): string {
  return `<span class="badge ${status}">${WORDS[status]}</span>`;
}

function intervalText({ interval }: EvalSummary): string {
  if (!interval) return '.';
  return `: between ${percent(interval.low)} and ${percent(interval.high)}, at 95 %.`;
}

type PlayedCase = EvalSummary['cases'][number] & { readonly results: readonly EvalCaseResult[] };

function caseRow({ evalId, passed, total, rate, interval, results }: PlayedCase): string {
  const count = `${String(passed)} of ${String(total)}`;
  const bar = interval ? rateBar(rate, interval) : '';
  return `<tr><th scope="row">${escaped(evalId)}</th><td>${squares(results, count)}</td><td>${count}</td><td>${bar}</td></tr>`;
}

/** A square for each playing, in the colour of its end. */
function squares(results: readonly EvalCaseResult[], count: string): string {
  const shown = results.map(({ finalEvalStatus }) => `<i class="${finalEvalStatus}"></i>`);
  return `<span class="squares" role="img" aria-label="${count} passed">${shown.join('')}</span>`;
}

function scorePlot({ name, isGate, threshold, mean, interval, scores }: ScoreSummary): string {
  const sign = isGate ? '≤' : '≥';
  const range = `${shortNumber(interval.low)} to ${shortNumber(interval.high)}`;
  const text = `mean ${shortNumber(mean)} (${range}), ${sign} ${shortNumber(threshold)}`;
  return figure(name, text, histogram(scores, threshold));
}

function figure(name: string, text: string, plot: string): string {
  return `<figure><figcaption><b>${escaped(name)}</b> ${escaped(text)}</figcaption>${plot}</figure>`;
}

/** The playings of a case, which is open where one of them has not passed. */
function playingsOfCase({ evalId, results }: PlayedCase): string {
  const others = results.filter(({ finalEvalStatus }) => finalEvalStatus !== 'passed');
  const count = others.length === 0 ? '' : `${String(others.length)} not passed`;
  const open = others.length === 0 ? '' : ' open';
  const summary = `<summary><b>${escaped(evalId)}</b> <span class="soft">${count}</span></summary>`;
  return `<details class="case"${open}>${summary}\n${results.map(playing).join('\n')}\n</details>`;
}

function playing(result: EvalCaseResult): string {
  const { finalEvalStatus, run, overallEvalMetricResults } = result;
  const scores = overallEvalMetricResults.map(scoreText).join(' ');
  const [, ...lines] = linesOf(result);
  const summary = `<summary>${badge(finalEvalStatus)} ${String(run)}. ${scores}</summary>`;
  return `<details>${summary}<pre>${escaped([...lines, ...conversation(result)].join('\n'))}</pre></details>`;
}

function scoreText({
  metricName,
  score,
  evalStatus,
}: EvalCaseResult['overallEvalMetricResults'][number]): string {
  const value = score === undefined ? '' : shortNumber(score);
  return `<span class="score ${evalStatus}">${escaped(metricName)} <b>${value}</b></span>`;
}

/** What was said and called. */
function conversation({ evalMetricResultPerInvocation: turns }: EvalCaseResult): string[] {
  return turns.flatMap(({ actualInvocation: { userContent, intermediateData, finalResponse } }) => [
    `user   ${textIn(userContent)}`,
    ...(intermediateData?.toolUses ?? []).map(
      ({ name = '', args = {} }) => `calls  ${name} ${JSON.stringify(args)}`,
    ),
    `agent  ${textIn(finalResponse)}`,
  ]);
}

function textIn(content: { readonly parts?: readonly { readonly text?: string }[] } | undefined): string {
  return (content?.parts ?? []).map(({ text = '' }) => text).join('');
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function shortNumber(value: number): string {
  return String(Number(value.toPrecision(4)));
}

const WORDS: Readonly<Record<EvalCaseResult['finalEvalStatus'], string>> = {
  passed: 'passed',
  failed: 'failed',
  error: 'error',
  notEvaluated: 'not evaluated',
};
