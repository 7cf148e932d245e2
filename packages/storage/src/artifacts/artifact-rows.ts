import type { SessionKey } from '@adorn/core';
import { composedKey, type ExactSessionKey, INCARNATION, SessionNotFoundError } from '@adorn/core/backend';
import { sql } from 'kysely';

import type { Database, Queries } from '../database/database.js';
import { isRefused } from '../database/storage-fault.js';
import { nameFrom, storedName } from '../database/stored-name.js';
import type { ArtifactsTable } from '../database/tables.js';
import { whereKey } from '../sessions/where-key.js';

/** The columns that identify a file. */
export interface FileAddress {
  readonly folder: string;
  readonly name: string;
}

/** The greatest version number that the column can store. */
const LAST = 2_147_483_647;

export function fileAddress(scope: SessionKey, name: string): FileAddress {
  const folder = name.startsWith('user:') ? folderOfUser(scope) : folderOfSession(scope);
  return { folder, name: storedName(name) };
}

export function folderOfSession({ appName, userId, sessionId }: SessionKey): string {
  return composedKey(appName, userId, sessionId);
}

export function folderOfUser({ appName, userId }: Omit<SessionKey, 'sessionId'>): string {
  return composedKey(appName, userId);
}

/**
 * Locks the row of a file's session until the transaction ends, so that a deletion of the session waits.
 *
 * @param key also of one of several sessions that had the address
 * @throws {SessionNotFoundError}
 */
export async function requireSession(
  queries: Queries,
  dialect: Database['dialect'],
  key: ExactSessionKey,
): Promise<void> {
  const found = whereKey(queries.selectFrom('adorn_sessions').select('no'), key);
  const row = await (dialect === 'postgres' ? found.forKeyShare() : found).executeTakeFirst();
  const { [INCARNATION]: no } = key;
  if (row === undefined || (typeof no === 'number' && row.no !== no))
    throw new SessionNotFoundError(key.sessionId);
}

/**
 * Adds a version under the next number. If two are added concurrently, one is refused: see `isTaken`.
 *
 * @param required the number that it must get; otherwise the transaction is to be undone. Default: any
 * @throws {OtherVersionError}
 */
export async function insertVersion(
  queries: Queries,
  { folder, name }: FileAddress,
  { part, content, size }: Pick<ArtifactsTable, 'part' | 'content' | 'size'>,
  required?: number,
): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    insert into adorn_artifacts (folder, name, version, part, content, size, created_at)
    select
      ${folder}, ${name}, coalesce(max(version) + 1, 0), ${part}, ${content},
      cast(${size} as bigint), cast(${Date.now() / 1000} as double precision)
    from adorn_artifacts where folder = ${folder} and name = ${name}
    returning version`.execute(queries);
  const { version } = rows[0] as { version: number };
  if (required !== undefined && version !== required) throw new OtherVersionError();
  return version;
}

/** A version would have got another number than the required one. */
export class OtherVersionError extends Error {}

/** True if another process inserted the same version number first. */
export function isTaken(error: unknown): boolean {
  return isRefused(error, 'adorn_artifacts');
}

export async function findVersion(
  queries: Queries,
  { folder, name }: FileAddress,
  version?: number,
): Promise<ArtifactsTable | undefined> {
  if (version !== undefined && !(Number.isInteger(version) && version >= 0 && version <= LAST))
    return undefined;
  const versions = queries
    .selectFrom('adorn_artifacts')
    .selectAll()
    .where('folder', '=', folder)
    .where('name', '=', name);
  const meant =
    version === undefined
      ? versions.orderBy('version', 'desc').limit(1)
      : versions.where('version', '=', version);
  return meant.executeTakeFirst();
}

/** The versions of a file, ascending. */
export async function listVersions(queries: Queries, { folder, name }: FileAddress): Promise<number[]> {
  const versions = queries.selectFrom('adorn_artifacts').select('version').where('folder', '=', folder);
  const rows = await versions.where('name', '=', name).orderBy('version').execute();
  return rows.map(({ version }) => version);
}

/** The names of the files in any of the folders, sorted. */
export async function listNames(queries: Queries, folders: readonly string[]): Promise<string[]> {
  const names = queries.selectFrom('adorn_artifacts').select('name').distinct();
  const rows = await names.where('folder', 'in', folders).execute();
  return rows.map(({ name }) => nameFrom(name)).sort();
}

/** True if any version refers to the content. */
export async function isReferredTo(queries: Queries, content: string): Promise<boolean> {
  const found = queries
    .selectFrom('adorn_artifacts')
    .select('version')
    .where('content', '=', content)
    .limit(1);
  return (await found.executeTakeFirst()) !== undefined;
}

/** Deletes the versions of one file, or of all files in a folder. Returns the content that they referred to. */
export async function deleteVersions(
  queries: Queries,
  { folder, name }: { readonly folder: string; readonly name?: string },
): Promise<string[]> {
  const versions = queries.deleteFrom('adorn_artifacts').where('folder', '=', folder);
  const meant = name === undefined ? versions : versions.where('name', '=', name);
  const rows = await meant.returning('content').execute();
  return rows.flatMap(({ content }) => content ?? []);
}

/**
 * Deletes the files of a user, and those of all sessions of that user.
 *
 * @returns how many files there were, and the content that they referred to
 */
export async function deleteFilesOfUser(
  queries: Queries,
  owner: Omit<SessionKey, 'sessionId'>,
): Promise<{ readonly files: number; readonly contents: string[] }> {
  const folder = folderOfUser(owner);
  const prefix = `${folder.slice(0, -1)},`;
  const rows = await queries
    .deleteFrom('adorn_artifacts')
    .where((eb) =>
      eb.or([
        eb('folder', '=', folder),
        eb(sql<string>`substr(folder, 1, length(cast(${prefix} as text)))`, '=', prefix),
      ]),
    )
    .returning(['folder', 'name', 'content'])
    .execute();
  const files = new Set(rows.map((row) => composedKey(row.folder, row.name)));
  return { files: files.size, contents: rows.flatMap(({ content }) => content ?? []) };
}

/** Deletes the files of users of an application whose last version is older than a time. */
export async function deleteOlderFiles(
  queries: Queries,
  appName: string,
  before: number,
): Promise<{ readonly files: number; readonly contents: string[] }> {
  const prefix = `${composedKey(appName).slice(0, -1)},`;
  const old = await queries
    .selectFrom('adorn_artifacts')
    .select(['folder', 'name'])
    .where('name', 'like', 'user:%')
    .where(sql<string>`substr(folder, 1, length(cast(${prefix} as text)))`, '=', prefix)
    .groupBy(['folder', 'name'])
    .having((eb) => eb(eb.fn.max('created_at'), '<', before))
    .execute();
  const contents: string[] = [];
  for (const file of old) contents.push(...(await deleteVersions(queries, file)));
  return { files: old.length, contents };
}

/**
 * Deletes the artifacts of a session within a transaction. The artifacts of its user stay.
 *
 * @returns the content that they referred to: pass it to `SqlArtifactService.release` after the transaction
 */
export function deleteArtifactsOf(queries: Queries, session: SessionKey): Promise<string[]> {
  return deleteVersions(queries, { folder: folderOfSession(session) });
}
