import { sql } from 'kysely';

import type { Database, DatabaseOptions, Queries } from '../database/database.js';
import { isTableMissing } from '../database/storage-fault.js';
import { StorageNewerError } from '../errors/errors.js';
import { sessions } from './001-sessions.js';
import { artifacts } from './002-artifacts.js';
import { memory } from './003-memory.js';
import { credentials } from './004-credentials.js';
import { countedEvents } from './005-counted-events.js';
import { stateUpdates } from './006-state-updates.js';
import { runs } from './007-runs.js';
import { wordsOfOwners } from './008-words-of-owners.js';
import { embedders } from './009-embedders.js';
import { listings } from './010-listings.js';
import { runHolds } from './011-run-holds.js';
import { effects } from './012-effects.js';
import { openRequests } from './013-open-requests.js';
import { mail } from './014-mail.js';
import type { Migration } from './migration.js';

/** The key of the advisory lock, which no other program uses. */
const LOCK = 4_129_889_217;

/**
 * Brings a database up to date: forward only, in one transaction, while nobody else does. Two processes that start
 * together wait for one another; one that is killed leaves the database as it was.
 *
 * @param onMigration is called before each of those that are due
 * @returns the names of what was done
 * @throws {StorageNewerError} where a later Adorn was here before
 */
export function migrate(
  queries: Queries,
  { dialect, place }: Pick<Database, 'dialect' | 'place'>,
  onMigration?: DatabaseOptions['onMigration'],
): Promise<string[]> {
  return queries.transaction().execute(async (transaction) => {
    if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${LOCK})`.execute(transaction);
    await sql`create table if not exists adorn_schema (version integer not null)`.execute(transaction);
    const due = dueAt(await versionOf(transaction), place);
    const names = due.map(({ name }) => name);
    for (const { name, up } of due) {
      onMigration?.(name, names);
      await up(transaction, dialect);
    }
    if (due.length > 0) await keepVersion(transaction, MIGRATIONS.length);
    return names;
  });
}

/**
 * The names of the migrations that a database lacks; it is only read, and takes no lock.
 *
 * @throws {StorageNewerError} where a later Adorn was here before
 */
export async function dueMigrations(queries: Queries, { place }: Pick<Database, 'place'>): Promise<string[]> {
  return dueAt(await versionIfAny(queries), place).map(({ name }) => name);
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

/** All steps from an empty database to the current schema. A released step is never changed; new ones follow. */
const MIGRATIONS: readonly Migration[] = [
  sessions,
  artifacts,
  memory,
  credentials,
  countedEvents,
  stateUpdates,
  runs,
  wordsOfOwners,
  embedders,
  listings,
  runHolds,
  effects,
  openRequests,
  mail,
];
