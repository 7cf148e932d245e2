import { type EvalCaseResult, type EvalReport, linesOf } from '../eval-report.js';
import { type EvalSummary, type ScoreSummary, summaryOf } from '../statistics/summary.js';
import { escaped } from './escape.js';
import { histogram, rateBar } from './plots.js';

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
<h1>Evaluation</h1>
${reports.map(sectionOf).join('\n')}
</body>
</html>
`;
}

function sectionOf(report: EvalReport): string {
  const summary = summaryOf(report);
  const { evalSetId, status, caseResults } = report;
  const idle = report.idleLines().map((line) => `<p class="failed">${escaped(line)}</p>`);
  const times = caseResults.flatMap(({ durationMs }) => (durationMs === undefined ? [] : [durationMs]));
  return `<section>
<h2>${escaped(evalSetId)} <span class="${status}">${status}</span></h2>
<p>${String(summary.passed)} of ${String(summary.total)} playings passed${intervalText(summary)}</p>
${idle.join('\n')}
<h3>Cases</h3>
<table><thead><tr><th>case</th><th>passed</th><th>rate, with its interval at 95 %</th></tr></thead><tbody>
${summary.cases.map(caseRow).join('\n')}
</tbody></table>
<h3>Scores</h3>
<div class="plots">
${summary.scores.map(scorePlot).join('\n')}
${times.length === 0 ? '' : figure('milliseconds of a playing', histogram(times))}
</div>
<h3>Playings</h3>
${caseResults.map(playing).join('\n')}
</section>`;
}

function intervalText({ interval }: EvalSummary): string {
  if (!interval) return '.';
  return `: between ${percent(interval.low)} and ${percent(interval.high)}, at 95 %.`;
}

function caseRow(one: EvalSummary['cases'][number]): string {
  const { evalId, passed, total, rate, interval } = one;
  const bar = interval ? rateBar(rate, interval) : '';
  return `<tr><td>${escaped(evalId)}</td><td>${String(passed)} of ${String(total)}</td><td>${bar}</td></tr>`;
}

function scorePlot({ name, isGate, threshold, mean, interval, scores }: ScoreSummary): string {
  const sign = isGate ? '≤' : '≥';
  const range = `${shortNumber(interval.low)} to ${shortNumber(interval.high)}`;
  const title = `${name}: mean ${shortNumber(mean)} (${range}), ${sign} ${shortNumber(threshold)}`;
  return figure(title, histogram(scores, threshold));
}

function figure(title: string, plot: string): string {
  return `<figure><figcaption>${escaped(title)}</figcaption>${plot}</figure>`;
}

function playing(result: EvalCaseResult): string {
  const [first = '', ...lines] = linesOf(result);
  const { finalEvalStatus: status } = result;
  const summary = `<summary class="${status}">${escaped(first)}</summary>`;
  return `<details>${summary}<pre>${escaped([...lines, ...conversation(result)].join('\n'))}</pre></details>`;
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

const STYLE = `
:root { color-scheme: light dark; --good: #2a7d4f; --bad: #c0392b; --line: #8886; --bar: #4a78b5; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } td, th { text-align: left; padding: .2rem 1rem .2rem 0; border-bottom: 1px solid var(--line); }
.plots { display: flex; flex-wrap: wrap; gap: 1rem; } figure { margin: 0; } figcaption { font-size: 13px; }
svg { display: block; } .bar { fill: var(--bar); } .axis { stroke: var(--line); } .limit { stroke: var(--bad); stroke-dasharray: 3; }
.whisker { stroke: currentColor; stroke-width: 2; } text { font-size: 11px; fill: currentColor; }
.passed { color: var(--good); } .failed, .error { color: var(--bad); } pre { white-space: pre-wrap; overflow-wrap: anywhere; }
summary { cursor: pointer; }
`;
