import type { AgentSize, CheckReport, ToolSize } from '@adorn/compiler';

import { counted } from '../terminal/counted.js';
import type { Line } from '../terminal/line.js';
import { shownPath } from './shown-path.js';

/** How many tools or agents are listed; the rest is summed up. */
const SHOWN = 10;

/** The size of the declarations in every request, the largest first. */
export function sizeLines({ tools, agents }: CheckReport): Line[] {
  return [...table('tool', tools, toolColumns), ...table('agent', agents, agentColumns)];
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

function toolColumns({ name, origin, file, line }: ToolSize): string[] {
  return [name, origin, `${shownPath(file)}:${String(line)}`];
}

function agentColumns({ name, tools, hasMore, file, line }: AgentSize): string[] {
  const more = hasMore ? ' and tools known only at run time' : '';
  return [name, `${counted(tools, 'tool')}${more}`, `${shownPath(file)}:${String(line)}`];
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
