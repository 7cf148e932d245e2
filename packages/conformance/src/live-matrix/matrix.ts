import type { Check } from '../check.js';
import type { TestResult } from '../run-specs.js';

/** The ways in which a conversation is held, as the specs are titled. */
export const MODES = ['text', 'live', 'live after a reconnection', 'text after live'] as const;
export type Mode = (typeof MODES)[number];

/** A row of the matrix, as a spec records it. */
export interface MatrixRow {
  readonly table: string;
  readonly feature: string;
  /** The title of the specs that play the row. */
  readonly title: string;
  readonly kind: 'same' | 'refused' | 'different';
  readonly code?: string;
  /** Where the difference is documented, below `packages`. */
  readonly page?: string;
}

/** What a spec records, and what Jest says of its tests. */
export interface RecordedSpec {
  readonly rows: readonly MatrixRow[];
  readonly tests: readonly TestResult[];
}

/** One table: its cells as checks, and as lines for a reader. */
export interface MatrixTable {
  readonly name: string;
  readonly cells: readonly MatrixCell[];
  readonly lines: readonly string[];
}

/** What a feature does in one kind of conversation. */
export interface MatrixCell {
  readonly kind: MatrixRow['kind'];
  readonly check: Check;
}

/** The tables of a spec, each with a line for each feature. */
export function tablesOf({ rows, tests }: RecordedSpec): MatrixTable[] {
  return [...new Set(rows.map(({ table }) => table))].map((name) => {
    const own = rows.filter(({ table }) => table === name);
    return {
      name,
      cells: own.flatMap((row) => MODES.map((mode) => cellOf(row, mode, tests))),
      lines: writeTable(own, tests),
    };
  });
}

function cellOf(row: MatrixRow, mode: Mode, tests: readonly TestResult[]): MatrixCell {
  const { kind } = shownIn(row, mode);
  return { kind, check: { what: `${row.feature}, ${mode}`, fault: faultOf(row, mode, tests) } };
}

/** A feature that a live session refuses is there by text. */
function shownIn(
  { kind, code = '', page = '' }: MatrixRow,
  mode: Mode,
): { kind: MatrixRow['kind']; text: string } {
  if (kind === 'different') return { kind, text: `see ${page}` };
  if (kind === 'refused' && mode !== 'text') return { kind, text: `refused: ${code}` };
  return { kind: 'same', text: 'same' };
}

/** A documented difference is held by the spec that reads its page; every other cell is played. */
function faultOf({ kind, title }: MatrixRow, mode: Mode, tests: readonly TestResult[]): string | undefined {
  const test =
    kind === 'different'
      ? tests.find((one) => one.title.startsWith('differs only where'))
      : tests.find((one) => one.ancestorTitles.at(-1) === title && one.title === mode);
  if (!test) return 'no spec plays it';
  const { status, failureMessages = [] } = test;
  return status === 'passed' ? undefined : `${status} ${failureMessages[0]?.split('\n')[0] ?? ''}`.trim();
}

function writeTable(rows: readonly MatrixRow[], tests: readonly TestResult[]): string[] {
  const cells = rows.map((row) => [
    row.feature,
    ...MODES.map((mode) => (faultOf(row, mode, tests) === undefined ? shownIn(row, mode).text : 'FAILED')),
  ]);
  const lines = [['', ...MODES], ...cells];
  const widths = [0, ...MODES.map((_mode, at) => at + 1)].map((at) =>
    Math.max(...lines.map((line) => line[at]?.length ?? 0)),
  );
  return lines.map((line) =>
    line
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
