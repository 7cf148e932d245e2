import { sql } from 'kysely';

import type { Database, Queries } from '../database/database.js';

/** Makes a database what it was before `007-runs`: without records of runs. */
export async function toVersion6(queries: Queries, dialect: Database['dialect']): Promise<void> {
  await toVersion7(queries, dialect);
  await sql`drop table adorn_runs`.execute(queries);
  await sql`alter table adorn_sessions drop column run_epoch`.execute(queries);
  await sql`alter table adorn_sessions drop column last_run`.execute(queries);
  await sql`alter table adorn_sessions add column epochs text not null default '{}'`.execute(queries);
  await sql`update adorn_schema set version = 6`.execute(queries);
}

/** Makes a database what it was before `008-words-of-owners`. On SQLite, the index of memories is then empty. */
export async function toVersion7(queries: Queries, dialect: Database['dialect']): Promise<void> {
  await toVersion8(queries);
  if (dialect === 'sqlite') {
    await sql`drop table adorn_memory_words`.execute(queries);
    await sql`
      create virtual table adorn_memory_words using fts5(
        owner, words, content = '', contentless_delete = 1,
        tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
      )`.execute(queries);
  }
  await sql`update adorn_schema set version = 7`.execute(queries);
}

/** Makes a database what it was before `009-embedders`. */
export async function toVersion8(queries: Queries): Promise<void> {
  await toVersion9(queries);
  await sql`alter table adorn_memory_vectors add column embedder text not null default ''`.execute(queries);
  await sql`
    update adorn_memory_vectors
    set embedder = (select memory.embedder from adorn_memories as memory where memory.no = memory_no)`.execute(
    queries,
  );
  await sql`drop index adorn_memories_embedder`.execute(queries);
  await sql`alter table adorn_memories drop column embedder`.execute(queries);
  await sql`update adorn_schema set version = 8`.execute(queries);
}

/** Makes a database what it was before `010-listings`. */
async function toVersion9(queries: Queries): Promise<void> {
  await toVersion10(queries);
  await sql`drop index adorn_sessions_latest`.execute(queries);
  await sql`update adorn_schema set version = 9`.execute(queries);
}

/** Makes a database what it was before `011-run-holds`. */
async function toVersion10(queries: Queries): Promise<void> {
  await toVersion11(queries);
  for (const column of ['held_at', 'read_at', 'is_released', 'is_cancel_requested'])
    await sql`alter table adorn_runs drop column ${sql.raw(column)}`.execute(queries);
  await sql`update adorn_schema set version = 10`.execute(queries);
}

/** Makes a database what it was before `012-effects`. */
async function toVersion11(queries: Queries): Promise<void> {
  await toVersion12(queries);
  await sql`drop table adorn_effects`.execute(queries);
  await sql`update adorn_schema set version = 11`.execute(queries);
}

/** Makes a database what it was before `013-open-requests`. */
export async function toVersion12(queries: Queries): Promise<void> {
  await toVersion13(queries);
  await sql`drop table adorn_open_requests`.execute(queries);
  await sql`drop table adorn_asking`.execute(queries);
  await sql`update adorn_schema set version = 12`.execute(queries);
}

/** Makes a database what it was before `014-mail`. */
async function toVersion13(queries: Queries): Promise<void> {
  await sql`drop table adorn_mail`.execute(queries);
  await sql`update adorn_schema set version = 13`.execute(queries);
}
