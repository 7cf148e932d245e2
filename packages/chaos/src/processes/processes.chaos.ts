import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Check, type Section, timed } from '@adorn/conformance/check';

import { type ChaosStore, postgresStore, sqliteStore } from '../storage/chaos-store.js';
import { isReal } from './plan.js';
import { Rounds } from './rounds.js';
import { TREE_NAMES, type TreeName } from './trees.js';
import { chaosSuite, type SuiteOptions } from '../suite.js';

/** How many series of rounds go on at once: most of the time of a round is spent in waiting. */
const AT_ONCE = 6;
const QUICK_SEEDS = 6;

export const processesChaos = chaosSuite({
  name: 'processes',
  takes: 'five to ten minutes',
  summary:
    'a process dies behind any write of a conversation, and up to three others take it up at the same ' +
    'moment: they recover, resume, answer, send messages, cancel; nothing may happen twice, be lost or ' +
    'stay open',
  counts: {
    seeds: { default: 75, what: 'rounds of each of twelve trees on each store' },
  },
  quick: '6 seeds, half a minute',
  run: breakProcesses,
});

/** Lets processes die behind each write of a conversation, and others take it up at the same moment. */
async function* breakProcesses({
  from,
  counts: { seeds },
  quick,
}: SuiteOptions<'seeds'>): AsyncGenerator<Section> {
  const count = quick ? Math.min(seeds, QUICK_SEEDS) : seeds;
  for (const open of [sqliteStore, postgresStore]) {
    const store = await open();
    try {
      for (const tree of TREE_NAMES) {
        yield await timed(`${store.name}: ${tree}`, async () => {
          const checks = await checksOf(store, tree, from, count);
          const groups = [false, true].map((killed) => ({
            name: killed ? 'processes killed' : 'runners left',
            checks: checks.filter((_, index) => isReal(from + index) === killed),
          }));
          return groups.filter((group) => group.checks.length > 0);
        });
      }
    } finally {
      await store.close();
    }
  }
}

async function checksOf(store: ChaosStore, tree: TreeName, from: number, count: number): Promise<Check[]> {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-processes-'));
  const url = await store.newUrl();
  const checks: Check[] = [];
  const left = Array.from({ length: count }, (_, index) => index).values();
  const work = async (_: unknown, series: number): Promise<void> => {
    const appName = `chaos${String(series)}`;
    const rounds = await Rounds.open({ url, tree, appName, deeds: join(folder, appName) });
    try {
      for (const index of left) checks[index] = await rounds.round(from + index);
    } finally {
      await rounds.close();
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count) }, work));
    return checks;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
