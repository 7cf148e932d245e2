import type { Check, CheckGroup } from '@adorn/conformance/check';

import { Child } from '../child-process.js';
import type { ChaosStore } from './chaos-store.js';
import { lossOfRuns, reportOf } from './runs-report.js';

const PROCESSES = [2, 4];

/**
 * Two and four processes run agents on one database. A third program takes the lock of a SQLite file at random
 * meanwhile. No run may fail.
 *
 * @param runs of each process
 */
export async function manyProcesses(store: ChaosStore, seed: number, runs: number): Promise<CheckGroup[]> {
  const groups: CheckGroup[] = [];
  for (const count of PROCESSES) {
    const checks = await runTogether(store, seed, { count, runs });
    groups.push({ name: `${String(count)} processes (${String(count * runs)} runs)`, checks });
  }
  return groups;
}

async function runTogether(
  store: ChaosStore,
  seed: number,
  { count, runs }: { readonly count: number; readonly runs: number },
): Promise<Check[]> {
  const url = await store.newUrl();
  await new Child('migrator.child.js', import.meta.url, [url]).fault();
  const locker =
    store.name === 'SQLite' ? new Child('locker.child.js', import.meta.url, [url, String(seed)]) : undefined;
  await locker?.untilLines(1);
  const users = Array.from({ length: count }, (_, index) => `user-${String(index)}`);
  const checks = await Promise.all(
    users.map(async (user): Promise<Check> => {
      const child = new Child('runs.child.js', import.meta.url, [url, user, String(runs)]);
      const fault = (await child.fault()) ?? failureOf(child, runs) ?? (await lossOfRuns(url, user, child));
      return { what: user, fault };
    }),
  );
  if (locker) checks.push({ what: 'the program that locks', fault: await locker.kill() });
  if (store.damage) checks.push({ what: 'the file', fault: await store.damage(url) });
  return checks;
}

function failureOf(child: Child, runs: number): string | undefined {
  const report = reportOf(child);
  if (!report) return 'said nothing at its end';
  if (report.runs === runs) return undefined;
  return `${String(report.failed)} of ${String(runs)} runs failed: ${JSON.stringify(report.errors)}`;
}
