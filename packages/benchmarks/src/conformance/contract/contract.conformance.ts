import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Section } from '../check.js';
import type { Suite } from '../suite.js';
import { type ContractRow, judgeRow } from './judge-row.js';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const ROWS = 'packages/benchmarks/src/conformance/contract/rows.json';

/** The tests that hold each row of the contract. It looks whether they are there, and does not run them. */
export const contractConformance: Suite = {
  name: 'contract',
  summary: 'for each promise about calls, the tests that hold it: they are there (not run)',
  takes: 'seconds',
  async *run() {
    const { rows } = JSON.parse(readFileSync(`${ROOT}${ROWS}`, 'utf8')) as {
      readonly rows: readonly ContractRow[];
    };
    for (const area of new Set(rows.map(areaOf))) {
      yield await Promise.resolve(
        sectionOf(
          area,
          rows.filter((row) => areaOf(row) === area),
        ),
      );
    }
  },
};

/** `TC` of `TC-03`, and `S` of the security row `S4`. */
function areaOf({ row }: ContractRow): string {
  return row.replace(/-?\d+$/, '');
}

function sectionOf(area: string, rows: readonly ContractRow[]): Section {
  const begun = performance.now();
  const checks = rows.filter(({ held, missing }) => held.length > 0 || missing === undefined);
  const groups = [{ name: 'held', checks: checks.map((row) => judgeRow(row, ROOT)) }];
  const leftOut = rows
    .filter(({ missing }) => missing !== undefined)
    .map(({ row, says, held, missing = '' }) =>
      held.length > 0 ? `${row} (${says}): ${missing}` : `${row} (${says}) is missing: ${missing}`,
    );
  return { name: area, groups, ms: performance.now() - begun, leftOut };
}
