import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { serve } from '@hono/node-server';

import { openMachine } from './machine.js';
import { routesOf } from './routes.js';

/** A server: accepts messages and shows events. It runs no agent. */
const fleet = await openMachine();
const { PORT: port = '8000', HOST: hostname = '127.0.0.1' } = process.env;
const server = serve({ fetch: routesOf(fleet).fetch, port: Number(port), hostname });
await once(server, 'listening');
console.log(`Server at http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);

await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
// What was accepted is stored, and readers of events ask again with the number of the last one.
process.exit();
