import type { Diagnostic, Severity } from '@adorn/compiler';

import type { Line } from '../terminal/line.js';
import type { Tone } from '../terminal/palette.js';
import { shownPath } from './shown-path.js';

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
