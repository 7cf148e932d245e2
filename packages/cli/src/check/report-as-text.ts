import type { CheckReport } from '@adorn/compiler';

import { counted } from '../terminal/counted.js';
import type { Line } from '../terminal/line.js';
import type { CheckOutcome } from './check-outcome.js';
import { diagnosticLines } from './diagnostic-lines.js';
import { sizeLines } from './size-lines.js';

/** A report for people. */
export function reportAsText(report: CheckReport, outcome: CheckOutcome): Line[] {
  return [...diagnosticLines(report.diagnostics), ...sizeLines(report), lastLine(report, outcome)];
}

function lastLine({ tools, silenced }: CheckReport, { counts, passed }: CheckOutcome): Line {
  const tokens = tools.reduce((sum, tool) => sum + tool.tokens, 0);
  const found = [
    counted(counts.error, 'error'),
    counted(counts.warning, 'warning'),
    counted(counts.note, 'note'),
    `${String(silenced)} silenced`,
  ];
  const size = `${counted(tools.length, 'tool')}, some ${String(tokens)} tokens`;
  return { tone: passed ? 'result' : 'failure', text: `${found.join(', ')}; ${size}.` };
}
