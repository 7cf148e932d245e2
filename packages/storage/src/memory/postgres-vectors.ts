import { sql } from 'kysely';

import type { Queries } from '../database/database.js';
import type { VectorSearch } from './vectors.js';

/** True if pgvector is installed; the database owner runs `create extension vector`. */
export async function hasPgvector(queries: Queries): Promise<boolean> {
  const { rows } = await sql<{ present: boolean }>`
    select to_regtype('vector') is not null as present`.execute(queries);
  return rows[0]?.present === true;
}

/** Searches all vectors of the owner with pgvector: exact. For unit vectors the inner product is the cosine. */
export const postgresVectors: VectorSearch = async (
  queries,
  { owner, embedder, vector, minScore, limit },
) => {
  const { rows } = await sql<{ no: number }>`
    select no from (
      select no, case when embedder = ${embedder}
        then -(vector::vector <#> ${JSON.stringify(vector)}::text::vector) end as score
      from adorn_memories join adorn_memory_vectors on memory_no = no
      where app = ${owner.app} and user_id = ${owner.user_id}
    ) as compared
    where score >= ${minScore} order by score desc, no desc limit ${limit}`.execute(queries);
  return rows.map(({ no }) => no);
};

/** Without pgvector: compares in plain SQL. Slower, with the same result; no vector is sent to the application. */
export const postgresPlainVectors: VectorSearch = async (
  queries,
  { owner, embedder, vector, minScore, limit },
) => {
  const { rows } = await sql<{ no: number }>`
    select no from (
      select no, (
        select sum(a::float8 * b) from unnest(vector, ${arrayOf(vector)}::text::real[]) as pair (a, b)
      ) as score
      from adorn_memories join adorn_memory_vectors on memory_no = no
      where app = ${owner.app} and user_id = ${owner.user_id} and embedder = ${embedder}
    ) as compared
    where score >= ${minScore} order by score desc, no desc limit ${limit}`.execute(queries);
  return rows.map(({ no }) => no);
};

/** An array as PostgreSQL writes it, with as many digits as a 32-bit float has. */
export function arrayOf(vector: readonly number[]): string {
  return `{${vector.map((value) => value.toPrecision(9)).join(',')}}`;
}
