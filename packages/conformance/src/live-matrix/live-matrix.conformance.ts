import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import type { CheckGroup, Section } from '../check.js';
import { runSpecs } from '../run-specs.js';
import type { Suite } from '../suite.js';
import { type MatrixCell, type MatrixRow, type MatrixTable, tablesOf } from './matrix.js';

/** The specs that hold the matrix, and record its rows. */
const SPECS = 'packages/live/src/.*matrix\\.spec\\.ts$';

/** Every feature by text, live, live after a reconnection, and by text after live: the same, refused, or on a page. */
export const liveMatrixConformance: Suite = {
  name: 'live-matrix',
  summary:
    'every feature by text, live, live after a reconnection, by text after live: the same, refused, or documented',
  takes: 'a minute',
  async *run() {
    const begun = performance.now();
    const tables = await playMatrix();
    const ms = (performance.now() - begun) / Math.max(1, tables.length);
    for (const { name, cells, lines } of tables)
      yield { name, groups: groupsOf(cells), ms, table: lines } satisfies Section;
  },
};

/** Plays the specs, which write their rows into a folder. */
async function playMatrix(): Promise<MatrixTable[]> {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-matrix-'));
  try {
    const tests = await runSpecs([SPECS], { environment: { ADORN_LIVE_MATRIX: folder } });
    return readdirSync(folder).flatMap((file) => {
      const rows = JSON.parse(readFileSync(join(folder, file), 'utf8')) as readonly MatrixRow[];
      return tablesOf({ rows, tests: tests.filter(({ spec }) => `${basename(spec)}.json` === file) });
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const NAMES: Readonly<Record<MatrixRow['kind'], string>> = {
  same: 'same',
  refused: 'refused',
  different: 'documented',
};

/** The cells, counted by what they say. */
function groupsOf(cells: readonly MatrixCell[]): CheckGroup[] {
  const kinds = [...new Set(cells.map(({ kind }) => kind))];
  return kinds.map((kind) => ({
    name: NAMES[kind],
    checks: cells.filter((cell) => cell.kind === kind).map(({ check }) => check),
  }));
}
