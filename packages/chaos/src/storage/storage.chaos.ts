import { type CheckGroup, type Section, timed } from '@adorn/conformance/check';

import { type ChaosStore, postgresStore, sqliteStore } from './chaos-store.js';
import { fullDisk } from './full-disk.js';
import { killedWriters } from './killed-writers.js';
import { manyProcesses } from './many-processes.js';
import { migrations } from './migrations.js';
import { outages } from './outages.js';
import { races } from './races.js';
import { sharedApprovals } from './shared-approvals.js';
import { terminatedRuns } from './terminated-runs.js';
import { twoProcesses } from './two-processes.js';
import { chaosSuite, type SuiteOptions } from '../suite.js';

/** How many runs a process makes at the most. */
const MOST_RUNS = 200;

export const storageChaos = chaosSuite({
  name: 'storage',
  takes: 'five to ten minutes',
  summary:
    'writers are killed, appends race, databases migrate twice at once, the disk is full, two and four ' +
    'processes share a SQLite file that another program locks, PostgreSQL crashes and stops, processes ' +
    'get SIGTERM, three processes approve one call',
  counts: {
    seeds: {
      default: 100,
      what: 'pairs of writers killed on SQLite; each process that shares a database makes twice as many runs, 200 at most',
    },
    postgresSeeds: { default: 25, what: 'the same on PostgreSQL' },
  },
  run: breakStores,
});

/** What is done to stores of each kind. */
async function* breakStores({
  from,
  counts: { seeds, postgresSeeds },
}: SuiteOptions<'seeds' | 'postgresSeeds'>): AsyncGenerator<Section> {
  yield* chaosOf(sqliteStore(), from, seeds);
  yield await onFullDisk();
  yield* chaosOf(await postgresStore(), from, postgresSeeds);
}

async function onFullDisk(): Promise<Section> {
  let reason: string | undefined;
  const section = await timed('SQLite: a full disk', async () => {
    const found = await fullDisk();
    if (typeof found !== 'string') return found;
    reason = found;
    return [];
  });
  return reason === undefined ? section : { ...section, leftOut: [reason] };
}

async function* chaosOf(store: ChaosStore, from: number, seeds: number): AsyncGenerator<Section> {
  const works: (readonly [string, () => Promise<CheckGroup[]>])[] = [
    ['races and epochs', () => races(store)],
    ['migrations', () => migrations(store, from)],
    ['processes', () => twoProcesses(store)],
    ['runs beside each other', () => manyProcesses(store, from, Math.min(2 * seeds, MOST_RUNS))],
    ['one approval, three processes', () => sharedApprovals(store)],
    ['SIGTERM in the middle of runs', () => terminatedRuns(store, from, Math.ceil(seeds / 10))],
    ...(store.outages.length > 0 ? [['outages under load', () => outages(store)] as const] : []),
    ['writers that are killed', () => killedWriters(store, from, seeds)],
  ];
  try {
    for (const [name, work] of works) yield await timed(`${store.name}: ${name}`, work);
  } finally {
    await store.close();
  }
}
