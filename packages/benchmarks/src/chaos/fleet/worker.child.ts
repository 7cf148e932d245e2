import { openFleet, startWorker } from '@adorn/fleet';
import { PgBossQueue } from '@adorn/pg-boss';

import { openClerk } from './open-clerk.js';

/** `worker.child.js URL`: runs invocations until it is killed. */
const [url = ''] = process.argv.slice(2);
const fleet = await openFleet(await openClerk(url), { queue: new PgBossQueue(url), url });
await startWorker(fleet, { maxAttempts: 50 });
console.log('works');
