import { type Fleet, type InvocationQueue, openFleet } from '@adorn/fleet';
import { PgBossQueue } from '@adorn/pg-boss';
import { RestateQueue } from '@adorn/restate';
import { sqlStorage } from '@adorn/storage';
import { createRunner } from 'adorn';
import { chooseModel } from 'adorn/main';

import { OrderDesk } from './order-desk.agent.js';

/** What may wait before a message is refused with 429. */
const LIMITS = { maxWaiting: 10_000, maxWaitingPerUser: 100 };

/** What a machine is told by its environment. */
export interface MachineEnvironment extends NodeJS.ProcessEnv {
  /** The PostgreSQL that all machines share: `postgres://user:password@host/database`. */
  readonly DATABASE_URL?: string;
  /** The ingress of Restate. Default: the queue is pg-boss, in the database. */
  readonly RESTATE_INGRESS?: string;
  /** The admin address of Restate. */
  readonly RESTATE_ADMIN?: string;
  /** The address at which Restate reaches the workers. */
  readonly RESTATE_WORKERS?: string;
  /** The public keys with which Restate signs its requests, with commas between them. */
  readonly RESTATE_IDENTITY_KEYS?: string;
}

/** The same on a server and on a worker: the agent, the database that all share, and the queue. */
export async function openMachine(env: MachineEnvironment = process.env): Promise<Fleet> {
  const { DATABASE_URL: url } = env;
  if (url === undefined) throw new Error('DATABASE_URL is not set; machines share a postgres://… database.');
  const { model } = chooseModel(env);
  const runner = await createRunner(OrderDesk, { appName: 'orders', model, modules: [sqlStorage(url)] });
  return openFleet(runner, { queue: queueOf(url, env), url, ...LIMITS });
}

function queueOf(url: string, env: MachineEnvironment): InvocationQueue {
  const { RESTATE_INGRESS: ingress, RESTATE_ADMIN: admin, RESTATE_WORKERS: workers } = env;
  if (ingress === undefined || ingress === '') return new PgBossQueue(url);
  if (admin === undefined || workers === undefined)
    throw new Error('RESTATE_INGRESS is set; RESTATE_ADMIN and RESTATE_WORKERS are needed, too.');
  const { hostname, port } = new URL(workers);
  const identityKeys = (env.RESTATE_IDENTITY_KEYS ?? '').split(',').filter((key) => key !== '');
  return new RestateQueue({
    ingress,
    admin,
    workers,
    port: Number(port),
    host: hostname === '127.0.0.1' ? hostname : '0.0.0.0',
    identityKeys,
    // The network of the compose file has nothing but the server, the workers, Restate and PostgreSQL.
    dangerouslyAllowUnauthenticatedRemote: identityKeys.length === 0,
  });
}
