import type { CheckReport, Diagnostic, Severity } from '@adorn/compiler';

import { counted } from '../terminal/counted.js';
import type { Line } from '../terminal/line.js';
import type { Tone } from '../terminal/palette.js';
import type { CheckOutcome } from './check-outcome.js';
import { shownPath } from './shown-path.js';
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

const TONES: Readonly<Record<Severity, Tone>> = { error: 'failure', warning: 'warning', note: 'note' };

/** What was found, file by file: the place, what is there, and below it what to do. */
export function diagnosticLines(diagnostics: readonly Diagnostic[]): Line[] {
  const files = [...new Set(diagnostics.map(({ file }) => file))];
  return files.flatMap((file): Line[] => [
    { tone: 'title', text: shownPath(file) },
    ...diagnostics.filter((one) => one.file === file).flatMap(linesOf),
    { tone: 'answer', text: '' },
  ]);
}

function linesOf({ severity, line, message, cure, rule }: Diagnostic): Line[] {
  const place = `${String(line).padStart(5)}  ${severity.padEnd(7)}  `;
  return [
    { tone: TONES[severity], text: `${place}${message} (${rule})` },
    ...(cure === '' ? [] : [{ tone: 'note' as const, text: `${' '.repeat(place.length)}${cure}` }]),
  ];
}
