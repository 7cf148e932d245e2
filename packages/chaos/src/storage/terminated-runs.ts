import { setTimeout as sleep } from 'node:timers/promises';

import type { Check, CheckGroup } from '@adorn/conformance/check';

import { Child } from '../child-process.js';
import { seededRandom } from '../seeded-random.js';
import type { ChaosStore } from './chaos-store.js';
import { acknowledgedBy, lossOfRuns } from './runs-report.js';

/** How long a process lives after its first event, in milliseconds, at the most. */
const LONGEST = 200;

/** A supervisor ends a process in the middle of its runs: it closes its runner and ends well, and nothing is lost. */
export async function terminatedRuns(store: ChaosStore, from: number, times: number): Promise<CheckGroup[]> {
  const url = await store.newUrl();
  const checks: Check[] = [];
  let acknowledged = 0;
  for (let seed = from; seed < from + times; seed++) {
    const user = `user-${String(seed)}`;
    const child = new Child('runs.child.js', import.meta.url, [url, user]);
    await child.untilLines(1);
    await sleep(seededRandom(seed)() * LONGEST);
    child.terminate();
    const fault = (await child.fault()) ?? (await lossOfRuns(url, user, child));
    acknowledged += acknowledgedBy(child);
    checks.push({ what: `seed ${String(seed)}`, fault });
  }
  return [{ name: `seeds (${String(acknowledged)} acknowledged)`, checks }];
}
