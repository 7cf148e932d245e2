import { randomUUID } from 'node:crypto';

import type { PostgresServer } from '@adorn/testing/servers';
import pg from 'pg';

/** On a machine that does much else, a server is not up in the five seconds that a hook has. */
export const A_MINUTE = 60_000;

/** The server of the Jest worker, which all its spec files share. */
interface WorkerServer {
  workerPostgres(): Promise<PostgresServer>;
}

declare const adornKept: (name: 'postgres-server') => WorkerServer;

/** The URL of a new, empty database. Its server is started for the first one, and ends with the Jest worker. */
export async function newPostgresDatabase(): Promise<string> {
  const server = await adornKept('postgres-server').workerPostgres();
  const name = `s_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client(server.url());
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return server.url(name);
}
