import { sql } from 'kysely';

import type { Database, Queries } from '../database/database.js';
import { isTableMissing } from '../database/storage-fault.js';
import { StorageNewerError } from '../errors/storage-newer.error.js';
import { StorageOutdatedError } from '../errors/storage-outdated.error.js';
import type { Migration } from './migration.js';
import { MIGRATIONS } from './migrations.js';

/** Any number that no other program takes its advisory lock by. */
const LOCK = 4_129_889_217;

/**
 * Brings a database up to date: forward only, in one transaction, while nobody else does. Two processes that start
 * together wait for one another; one that is killed leaves the database as it was. One that is up to date is only read.
 *
 * @returns the names of what was done
 * @throws {StorageNewerError} where a later Adorn was here before
 */
export async function migrate(
  queries: Queries,
  { flavour, place }: Pick<Database, 'flavour' | 'place'>,
): Promise<string[]> {
  if (dueAt(await versionIfAny(queries), place).length === 0) return [];
  return queries.transaction().execute(async (transaction) => {
    if (flavour === 'postgres') await sql`select pg_advisory_xact_lock(${LOCK})`.execute(transaction);
    await sql`create table if not exists adorn_schema (version integer not null)`.execute(transaction);
    const due = dueAt(await versionOf(transaction), place);
    for (const { up } of due) await up(transaction, flavour);
    if (due.length > 0) await keepVersion(transaction, MIGRATIONS.length);
    return due.map(({ name }) => name);
  });
}

/**
 * Looks whether a database is up to date, and changes nothing.
 *
 * @throws {StorageOutdatedError | StorageNewerError} where it is not
 */
export async function requireMigrated(queries: Queries, { place }: Pick<Database, 'place'>): Promise<void> {
  const due = dueAt(await versionIfAny(queries), place);
  if (due.length > 0)
    throw new StorageOutdatedError(
      place,
      due.map(({ name }) => name),
    );
}

function dueAt(version: number, place: string): readonly Migration[] {
  if (version > MIGRATIONS.length) throw new StorageNewerError(place, version, MIGRATIONS.length);
  return MIGRATIONS.slice(version);
}

/** 0 in a database that was never migrated. */
async function versionIfAny(queries: Queries): Promise<number> {
  try {
    return await versionOf(queries);
  } catch (error) {
    if (isTableMissing(error)) return 0;
    throw error;
  }
}

async function versionOf(queries: Queries): Promise<number> {
  const { rows } = await sql<{ version: number }>`select version from adorn_schema`.execute(queries);
  return rows[0]?.version ?? 0;
}

async function keepVersion(queries: Queries, version: number): Promise<void> {
  await sql`delete from adorn_schema`.execute(queries);
  await sql`insert into adorn_schema (version) values (${version})`.execute(queries);
}
