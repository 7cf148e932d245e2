import { sql } from 'kysely';

import type { Queries } from '../database/database.js';
import { arrayOf } from './postgres-vectors.js';
import { toBytes } from './vectors.js';

/** A vector of length one, and whose it is. */
export interface KeptVector {
  readonly no: number;
  readonly vector: readonly number[];
}

/**
 * Stores one vector per memory, and replaces that of another embedder. Skips memories deleted in the
 * meantime.
 */
export async function keepInSqlite(
  queries: Queries,
  embedder: string,
  vectors: readonly KeptVector[],
): Promise<void> {
  for (const { no, vector } of vectors) {
    await sql`
      insert into adorn_memory_vectors (memory_no, embedder, vector)
      select no, ${embedder}, ${toBytes(vector)} from adorn_memories where no = ${no}
      on conflict (memory_no) do update set embedder = excluded.embedder, vector = excluded.vector`.execute(
      queries,
    );
  }
}

/** The same in one statement, for a server that is far away. */
export async function keepInPostgres(
  queries: Queries,
  embedder: string,
  vectors: readonly KeptVector[],
): Promise<void> {
  const nos = vectors.map(({ no }) => no);
  const arrays = vectors.map(({ vector }) => arrayOf(vector));
  await sql`
    insert into adorn_memory_vectors (memory_no, embedder, vector)
    select no, ${embedder}, given.vector::real[]
    from unnest(${nos}::bigint[], ${arrays}::text[]) as given (memory_no, vector)
    join adorn_memories on no = memory_no
    on conflict (memory_no) do update set embedder = excluded.embedder, vector = excluded.vector`.execute(
    queries,
  );
}
