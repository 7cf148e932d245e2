import { openFleet, startWorker } from '@adorn/fleet';

import { queueOf } from './engine.js';
import { openClerk } from './open-clerk.js';

/** `worker.child.js URL ENGINE`: runs invocations until it is killed. */
const [url = '', engine = ''] = process.argv.slice(2);
const fleet = await openFleet(await openClerk(url), { queue: queueOf(engine, url), url });
await startWorker(fleet, { maxAttempts: 50 });
console.log('works');
