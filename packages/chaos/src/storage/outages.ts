import type { Check, CheckGroup } from '@adorn/conformance/check';

import { Child } from '../child-process.js';
import type { ChaosStore, Outage } from './chaos-store.js';
import { acknowledgedBy, lossOfRuns, reportOf } from './runs-report.js';

/** How often each outage happens to one process. */
const TIMES = 3;
/** So many events are acknowledged between two outages: the process goes on. */
const EVENTS_BETWEEN = 30;

/** A server crashes, is stopped, or ends its connections while a process runs agents on it. */
export async function outages(store: ChaosStore): Promise<CheckGroup[]> {
  const groups: CheckGroup[] = [];
  for (const outage of store.outages) {
    const url = await store.newUrl();
    const child = new Child('runs.child.js', import.meta.url, [url, 'ada']);
    for (let times = 0; times < TIMES; times++) {
      await child.untilLines(child.lines.length + EVENTS_BETWEEN);
      await outage.happen();
    }
    await child.untilLines(child.lines.length + EVENTS_BETWEEN);
    child.terminate();
    groups.push(await judge(outage, url, child));
  }
  return groups;
}

async function judge({ name }: Outage, url: string, child: Child): Promise<CheckGroup> {
  const checks: Check[] = [{ what: 'the process', fault: await child.fault() }];
  const errors = Object.keys(reportOf(child)?.errors ?? {}).filter((code) => code !== 'STORAGE_UNAVAILABLE');
  checks.push({ what: 'the errors', fault: errors.length === 0 ? undefined : errors.join(', ') });
  checks.push({ what: 'the logs', fault: await lossOfRuns(url, 'ada', child) });
  return { name: `${name} (${String(acknowledgedBy(child))} acknowledged)`, checks };
}
