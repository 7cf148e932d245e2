import { type EvalCaseResult, type EvalReport, linesOf } from '../eval-report.js';
import { escaped } from './escape.js';

/** Reports as JUnit XML, which CI servers show: a suite for each eval set, a test case for each playing. */
export function formatJunit(reports: readonly EvalReport[]): string {
  const suites = reports.map(suiteOf);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('')}</testsuites>\n`;
}

function suiteOf(report: EvalReport): string {
  const { evalSetId, caseResults } = report;
  const idle = report
    .idleLines()
    .map(
      (line) =>
        `    <testcase name="${escaped(line)}" classname="${escaped(evalSetId)}"><failure message="${escaped(line)}"/></testcase>\n`,
    );
  const failures = report.count('failed') + idle.length;
  const seconds = caseResults.reduce((sum, { durationMs = 0 }) => sum + durationMs / 1_000, 0);
  const counts = {
    tests: caseResults.length + idle.length,
    failures,
    errors: report.count('error'),
    skipped: report.count('notEvaluated'),
    time: seconds.toFixed(3),
  };
  const attributes = Object.entries(counts).map(([name, value]) => ` ${name}="${String(value)}"`);
  const cases = caseResults.map((result) => caseOf(result));
  return `  <testsuite name="${escaped(evalSetId)}"${attributes.join('')}>\n${[...cases, ...idle].join('')}  </testsuite>\n`;
}

function caseOf(result: EvalCaseResult): string {
  const { evalSetId, evalId, run, finalEvalStatus, durationMs = 0 } = result;
  const name = run === 1 ? evalId : `${evalId} (run ${String(run)})`;
  const time = (durationMs / 1_000).toFixed(3);
  const head = `    <testcase name="${escaped(name)}" classname="${escaped(evalSetId)}" time="${time}"`;
  if (finalEvalStatus === 'passed') return `${head}/>\n`;
  return `${head}>${outcomeOf(result)}</testcase>\n`;
}

function outcomeOf(result: EvalCaseResult): string {
  const [first = '', ...lines] = linesOf(result);
  const text = escaped([first, ...lines].join('\n'));
  switch (result.finalEvalStatus) {
    case 'error':
      return `<error message="${escaped(result.error ?? first)}">${text}</error>`;
    case 'notEvaluated':
      return '<skipped message="no expectations"/>';
    default:
      return `<failure message="${escaped(first)}">${text}</failure>`;
  }
}
