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

/**
 * The URL of a new database. Its server is started for the first one, and ends with the Jest worker.
 *
 * @param template the URL of the database that it is a copy of, to which nobody is connected. Default: it is empty
 */
export async function newPostgresDatabase(template?: string): Promise<string> {
  const server = await adornKept('postgres-server').workerPostgres();
  const name = `s_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client(server.url());
  await client.connect();
  const copied = template === undefined ? '' : ` template ${new URL(template).pathname.slice(1)}`;
  await client.query(`create database ${name}${copied}`);
  await client.end();
  return server.url(name);
}
