import type { InvocationQueue } from '@adorn/fleet';
import { PgBossQueue } from '@adorn/pg-boss';
import { RestateQueue, type RestateQueueOptions } from '@adorn/restate';

/** The queue of a process, as its command line names it: `pg-boss`, or the options of Restate as JSON. */
export function queueOf(engine: string, url: string): InvocationQueue {
  return engine === 'pg-boss'
    ? new PgBossQueue(url)
    : new RestateQueue(JSON.parse(engine) as RestateQueueOptions);
}
