import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { sql } from 'kysely';

import { newDatabaseFolder } from './database-folder.fixture.js';
import { Database } from './database.js';
import { A_MINUTE, newPostgresDatabase } from './postgres-database.fixture.js';

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

/** A file for each that is opened, a copy of one that is migrated already: migrations take 70 ms. */
function sqliteOf(): OpenDatabase {
  const folder = newDatabaseFolder('adorn-sqlite-');
  const migrated = join(folder, 'migrated.db');
  const opened: Database[] = [];
  beforeAll(async () => {
    const database = new Database(migrated);
    await database.open();
    await database.close();
  });
  afterEach(async () => {
    for (const database of opened.splice(0)) await database.close();
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  let count = 0;
  return () => {
    const file = join(folder, `${String(count++)}.db`);
    copyFileSync(migrated, file);
    const database = new Database(file);
    opened.push(database);
    return Promise.resolve(database);
  };
}

/** One database whose tables are emptied: to make another takes a fifth of a second. */
function postgresOf(): OpenDatabase {
  let database: Database;
  beforeAll(async () => {
    database = new Database(await newPostgresDatabase());
  }, A_MINUTE);
  afterAll(async () => {
    await database.close();
  }, A_MINUTE);
  return async () => {
    await database.run(emptyTables);
    return database;
  };
}

type Queries = Parameters<Parameters<Database['run']>[0]>[0];

/** Rows are deleted: to truncate a dozen tables takes 30 ms. */
async function emptyTables(queries: Queries): Promise<void> {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_name like 'adorn\\_%' and table_name <> 'adorn_schema'`.execute(queries);
  const deletions = tables.rows.map(({ name }) => `delete from ${name};`);
  await sql.raw(`do $$ begin ${deletions.join(' ')} end $$`).execute(queries);
}
