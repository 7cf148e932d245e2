import { setTimeout as sleep } from 'node:timers/promises';

import type { Check, CheckGroup } from '@adorn/conformance/check';

import { Child } from '../child-process.js';
import { seededRandom } from '../seeded-random.js';
import type { ChaosStore } from './chaos-store.js';

const TOGETHER = 4;
const KILLED = 10;

/** Processes that migrate a new database together, and ones that are killed while they do. */
export async function migrations(store: ChaosStore, seed: number): Promise<CheckGroup[]> {
  const url = await store.newUrl();
  const children = Array.from({ length: TOGETHER }, () => migrator(url));
  const together = await Promise.all(
    children.map((child, index) => outcomeOf(child, `process ${String(index)}`)),
  );
  const random = seededRandom(seed);
  const killed: Check[] = [];
  for (let count = 0; count < KILLED; count++) killed.push(await killedMigration(store, random() * 250));
  return [
    { name: 'migrated together', checks: together },
    { name: 'after one was killed', checks: killed },
  ];
}

async function killedMigration(store: ChaosStore, ms: number): Promise<Check> {
  const url = await store.newUrl();
  const first = migrator(url);
  await sleep(ms);
  await first.kill();
  return outcomeOf(migrator(url), `${ms.toFixed(0)} ms`);
}

function migrator(url: string): Child {
  return new Child('migrator.child.js', import.meta.url, [url]);
}

async function outcomeOf(child: Child, what: string): Promise<Check> {
  const fault = await child.fault();
  return { what, fault: fault ?? (child.lines[0] === '0' ? undefined : `said ${child.lines.join(' ')}`) };
}
