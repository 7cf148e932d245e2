import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Database } from '@adorn/storage';
import { PostgresServer } from '@adorn/testing/servers';

/** Where databases are made to be broken. */
export interface ChaosStore {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** A database that nobody has opened. */
  newUrl(): Promise<string>;
  /** What is wrong with a database, undefined where it is whole; not known of a server, which looks after itself. */
  readonly damage?: (url: string) => Promise<string | undefined>;
  /** What can happen to a server while it is in use; a file has none. */
  readonly outages: readonly Outage[];
  close(): Promise<void>;
}

export interface Outage {
  readonly name: string;
  /** Resolves when the server is there again. */
  happen(): Promise<void>;
}

export function sqliteStore(): ChaosStore {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-chaos-'));
  let count = 0;
  return {
    name: 'SQLite',
    newUrl: () => Promise.resolve(join(folder, `${String(count++)}.db`)),
    damage: sqliteDamage,
    outages: [],
    close: () => {
      rmSync(folder, { recursive: true });
      return Promise.resolve();
    },
  };
}

/** A server of its own, whose commits are on the disk before they are acknowledged. */
export async function postgresStore(): Promise<ChaosStore> {
  const stated = process.env['DATABASE_URL'];
  const server = stated === undefined ? await PostgresServer.start() : undefined;
  const admin = stated ?? server?.url() ?? '';
  let count = 0;
  return {
    name: 'PostgreSQL',
    newUrl: async () => {
      const name = `chaos_${String(process.pid)}_${String(count++)}`;
      await withPostgres(admin, `create database ${name}`);
      return urlOf(admin, name);
    },
    outages: [
      ...(server ? [haltOf(server, 'crash', 'SIGQUIT'), haltOf(server, 'stop', 'SIGINT')] : []),
      { name: 'terminated backends', happen: () => withPostgres(admin, TERMINATE) },
    ],
    close: async () => {
      await server?.stop();
    },
  };
}

const TERMINATE = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'adorn'`;

function haltOf(server: PostgresServer, name: string, signal: 'SIGQUIT' | 'SIGINT'): Outage {
  return {
    name,
    happen: async () => {
      await server.halt(signal);
      await server.startAgain();
    },
  };
}

async function withPostgres(url: string, statement: string): Promise<void> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function urlOf(admin: string, name: string): string {
  const url = new URL(admin);
  url.pathname = `/${name}`;
  return url.href;
}

async function sqliteDamage(path: string): Promise<string | undefined> {
  const database = new Database(path);
  try {
    const connection = await database.connection();
    const rows = connection?.prepare('PRAGMA integrity_check').all([]) as { integrity_check: string }[];
    const [verdict] = rows.map(({ integrity_check }) => integrity_check);
    return verdict === 'ok' ? undefined : String(verdict);
  } finally {
    await database.close();
  }
}
