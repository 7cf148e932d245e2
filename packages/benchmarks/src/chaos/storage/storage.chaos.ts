import { type CheckGroup, type Section, timed } from '../../conformance/check.js';
import type { ChaosOptions } from '../options.js';
import { type ChaosStore, postgresStore, sqliteStore } from './chaos-store.js';
import { fullDisk } from './full-disk.js';
import { killedWriters } from './killed-writers.js';
import { migrations } from './migrations.js';
import { races } from './races.js';
import { twoProcesses } from './two-processes.js';

/** What is done to stores of each kind. */
export async function* storageChaos({ seeds, postgresSeeds, from }: ChaosOptions): AsyncGenerator<Section> {
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
  const works: [string, () => Promise<CheckGroup[]>][] = [
    ['races and epochs', () => races(store)],
    ['migrations', () => migrations(store, from)],
    ['processes', () => twoProcesses(store)],
    ['writers that are killed', () => killedWriters(store, from, seeds)],
  ];
  try {
    for (const [name, work] of works) yield await timed(`${store.name}: ${name}`, work);
  } finally {
    await store.close();
  }
}
