import type {
  AgentSize,
  CheckReport,
  Diagnostic,
  RuleSummary,
  Severity,
  SkillSize,
  ToolSize,
} from '@adorn/compiler';
import { shownPath } from '@adorn/compiler/build';

import { counted } from '../terminal/counted.js';
import type { Line, Tone } from '../terminal/palette.js';
import { printable } from 'adorn/main';
import type { CheckOutcome } from './check-report.js';

/**
 * A report for people.
 *
 * @param showsNotes true to show each note in its place; otherwise those of a rule that has several are counted
 */
export function reportAsText(report: CheckReport, outcome: CheckOutcome, showsNotes: boolean): Line[] {
  const repeated = showsNotes ? new Set<string>() : repeatedNotes(report.diagnostics);
  const shown = report.diagnostics.filter(({ rule }) => !repeated.has(rule));
  return [
    ...diagnosticLines(shown),
    ...noteLines(report.diagnostics, repeated),
    ...sizeLines(report),
    lastLine(report, outcome),
  ];
}

/** The rules that have several notes. */
function repeatedNotes(diagnostics: readonly Diagnostic[]): ReadonlySet<string> {
  const notes = diagnostics.filter(({ severity }) => severity === 'note').map(({ rule }) => rule);
  return new Set(notes.filter((rule, index) => notes.indexOf(rule) !== index));
}

/** The notes of each rule as one line: how many, and the first of them. */
function noteLines(diagnostics: readonly Diagnostic[], rules: ReadonlySet<string>): Line[] {
  const lines = [...rules].map((rule): Line => {
    const [first, ...others] = diagnostics.filter((one) => one.rule === rule);
    const place = first ? `${shownPath(first.file)}:${String(first.line)}: ${first.message}` : '';
    const count = counted(others.length + 1, 'note');
    return { tone: 'note', text: printable(`${count} of ${rule}, shown by --notes, such as ${place}`) };
  });
  return lines.length === 0 ? [] : [...lines, { tone: 'answer', text: '' }];
}

function lastLine({ tools, silenced, unchecked }: CheckReport, { counts, passed }: CheckOutcome): Line {
  const tokens = tools.reduce((sum, tool) => sum + tool.tokens, 0);
  const found = [
    counted(counts.error, 'error'),
    counted(counts.warning, 'warning'),
    counted(counts.note, 'note'),
    `${String(silenced)} silenced`,
  ];
  const size = `${counted(tools.length, 'tool')}, some ${String(tokens)} tokens`;
  const rest =
    unchecked.length === 0 ? '' : ` Not checked: ${counted(unchecked.length, 'project')} that it refers to.`;
  return { tone: passed ? 'result' : 'failure', text: `${found.join(', ')}; ${size}.${rest}` };
}

const TONES: Readonly<Record<Severity, Tone>> = { error: 'failure', warning: 'warning', note: 'note' };

/** The findings by file: the line and the message, and the cure below it. */
function diagnosticLines(diagnostics: readonly Diagnostic[]): Line[] {
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
    { tone: TONES[severity], text: printable(`${place}${message} (${rule})`) },
    ...(cure === ''
      ? []
      : [{ tone: 'note' as const, text: printable(`${' '.repeat(place.length)}${cure}`) }]),
  ];
}

/** How many tools or agents are listed; the others are counted. */
const SHOWN = 10;

/** The size of the declarations in every request, the largest first. */
export function sizeLines({ tools, agents, skills }: CheckReport): Line[] {
  return [
    ...table('tool', tools, toolColumns),
    ...table('agent', agents, agentColumns),
    ...table('skill', skills, skillColumns),
  ];
}

function table<Row extends { readonly tokens: number }>(
  noun: string,
  rows: readonly Row[],
  columnsOf: (row: Row) => string[],
): Line[] {
  if (rows.length === 0) return [];
  const shown = rows.slice(0, SHOWN).map((row) => [String(row.tokens).padStart(6), ...columnsOf(row)]);
  return [
    { tone: 'title', text: `tokens  ${noun}` },
    ...aligned(shown).map((text): Line => ({ tone: 'answer', text })),
    ...remainder(noun, rows.slice(SHOWN)),
    { tone: 'answer', text: '' },
  ];
}

function remainder(noun: string, rows: readonly { readonly tokens: number }[]): Line[] {
  if (rows.length === 0) return [];
  const sum = rows.reduce((total, { tokens }) => total + tokens, 0);
  return [{ tone: 'note', text: `${String(sum).padStart(6)}  ${counted(rows.length, `more ${noun}`)}` }];
}

function toolColumns({ name, labels, origin, file, line }: ToolSize): string[] {
  return [
    labels.length > 0 ? `${name} [${labels.join(', ')}]` : name,
    origin,
    `${shownPath(file)}:${String(line)}`,
  ];
}

function agentColumns({ name, tools, hasMore, file, line }: AgentSize): string[] {
  const more = hasMore ? ' and tools known only at run time' : '';
  return [name, `${counted(tools, 'tool')}${more}`, `${shownPath(file)}:${String(line)}`];
}

function skillColumns({ name, tokensOpened, file, line }: SkillSize): string[] {
  return [name, `${String(tokensOpened)} once it is opened`, `${shownPath(file)}:${String(line)}`];
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** All rules, each with its severity and description. */
export function ruleLines(rules: readonly RuleSummary[]): Line[] {
  const width = Math.max(...rules.map(({ name }) => name.length));
  return rules.map(({ name, severity, about }) => ({
    tone: 'answer',
    text: `${name.padEnd(width)}  ${severity.padEnd(7)}  ${about}`,
  }));
}
