import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Section } from '../check.js';
import type { Suite } from '../suite.js';
import { judgeRow, type PromiseRow } from './judge-row.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const FOLDER = 'packages/conformance/src/promises/';

/** The tests that hold each promise about calls. */
export const contractConformance = promisesConformance({
  name: 'contract',
  summary: 'for each promise about calls, the tests that hold it: they are there (not run)',
  rows: 'contract.rows.json',
});

/** The tests that hold each promise about agents, workflows, built-in tools and toolsets. */
export const agentsConformance = promisesConformance({
  name: 'agents',
  summary:
    'for each promise about agents, workflows, built-in tools and toolsets, the tests that hold it: they are there (not run)',
  rows: 'agents.rows.json',
});

interface PromisesOptions {
  readonly name: string;
  readonly summary: string;
  /** Name of the file in this folder that lists the promises. */
  readonly rows: string;
}

/** A suite that looks whether the tests of each promise are there, and does not run them. */
function promisesConformance({ name, summary, rows: file }: PromisesOptions): Suite {
  return {
    name,
    summary,
    takes: 'seconds',
    async *run() {
      const { rows } = JSON.parse(readFileSync(`${ROOT}${FOLDER}${file}`, 'utf8')) as {
        readonly rows: readonly PromiseRow[];
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
}

/** `TC` of `TC-03`, and `S` of the security row `S4`. */
function areaOf({ row }: PromiseRow): string {
  return row.replace(/-?\d+$/, '');
}

function sectionOf(area: string, rows: readonly PromiseRow[]): Section {
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
