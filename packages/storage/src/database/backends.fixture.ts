import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { PostgresServer } from '@adorn/testing/servers';
import { sql } from 'kysely';

import { Database } from './database.js';

/** Opens a database that holds nothing. */
export type OpenDatabase = () => Promise<Database>;

/** Every kind of database, for suites that hold of each: SQLite through libsql, and a real PostgreSQL server. */
export function describeEachDatabase(suite: (name: string, open: OpenDatabase) => void): void {
  describe('on SQLite', () => {
    suite('SQLite', sqliteOf());
  });
  describe('on PostgreSQL', () => {
    suite('PostgreSQL', postgresOf());
  });
}

/** A file for each that is opened. */
function sqliteOf(): OpenDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-sqlite-'));
  const opened: Database[] = [];
  afterEach(async () => {
    for (const database of opened.splice(0)) await database.close();
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  let count = 0;
  return () => {
    const database = new Database(join(folder, `${String(count++)}.db`));
    opened.push(database);
    return Promise.resolve(database);
  };
}

/** On a machine that does much else, a server is not up in the five seconds that a hook has. */
const A_MINUTE = 60_000;

/** One server whose tables are emptied: to make a database takes a fifth of a second. */
function postgresOf(): OpenDatabase {
  let server: PostgresServer;
  let database: Database;
  beforeAll(async () => {
    server = await PostgresServer.start({ settings: { fsync: 'off' } });
    database = new Database(server.url());
  }, A_MINUTE);
  afterAll(async () => {
    await database.close();
    await server.stop();
  }, A_MINUTE);
  return async () => {
    await database.run(emptyTables);
    return database;
  };
}

type Queries = Parameters<Parameters<Database['run']>[0]>[0];

async function emptyTables(queries: Queries): Promise<void> {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_name like 'adorn\\_%' and table_name <> 'adorn_schema'`.execute(queries);
  const names = tables.rows.map(({ name }) => sql.id(name));
  if (names.length > 0) await sql`truncate ${sql.join(names)} cascade`.execute(queries);
}
