import { sql } from 'kysely';

import type { SqliteConnection } from '../database/sqlite/sqlite-driver.js';
import { toBytes, type VectorSearch } from './vectors.js';

const LOADED = new WeakMap<SqliteConnection, boolean>();

/** True if the connection has sqlite-vec; loads it if possible. */
export async function hasSqliteVec(connection: SqliteConnection): Promise<boolean> {
  const known = LOADED.get(connection);
  if (known !== undefined) return known;
  const isLoaded = await load(connection);
  LOADED.set(connection, isLoaded);
  return isLoaded;
}

/** Fails on a platform without a binary of sqlite-vec, and with a driver that cannot load extensions. */
async function load(connection: SqliteConnection): Promise<boolean> {
  if (!connection.loadExtension) return false;
  try {
    const { getLoadablePath } = await import('sqlite-vec');
    connection.loadExtension(getLoadablePath());
    return true;
  } catch {
    return false;
  }
}

/** Searches all vectors of the owner with sqlite-vec: exact. */
export const sqliteVectors: VectorSearch = async (queries, { owner, embedder, vector, minScore, limit }) => {
  const { rows } = await sql<{ no: number }>`
    select no from (
      select no, case when embedder = ${embedder}
        then 1 - vec_distance_cosine(vector, ${toBytes(vector)}) end as score
      from adorn_memories join adorn_memory_vectors on memory_no = no
      where app = ${owner.app} and user_id = ${owner.user_id}
    ) as compared
    where score >= ${minScore} order by score desc, no desc limit ${limit}`.execute(queries);
  return rows.map(({ no }) => no);
};
