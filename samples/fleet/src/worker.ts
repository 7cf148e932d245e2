import { once } from 'node:events';

import { startWorker } from '@adorn/fleet';
import { serve } from '@hono/node-server';

import { openMachine } from './machine.js';
import { probesOf } from './probes.js';

/** A worker: runs what the servers have accepted. With `PORT`, it answers the probes of a platform there. */
const fleet = await openMachine();
const worker = await startWorker(fleet, { concurrency: 10 });
const { PORT } = process.env;
if (PORT !== undefined) serve({ fetch: probesOf(fleet).fetch, port: Number(PORT) });
console.log(`Worker ${String(process.pid)} works.`);

await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
await worker.stop(10_000);
// What has not ended within ten seconds belongs to another worker now.
process.exit();
