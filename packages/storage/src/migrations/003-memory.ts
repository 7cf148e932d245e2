import { sql } from 'kysely';

import type { Queries } from '../database/database.js';
import { type Migration, numberedTable } from './migration.js';

/** Memories of users, their words, and their vectors. */
export const memory: Migration = {
  name: '003-memory',
  async up(queries, dialect) {
    await numberedTable(queries, dialect, 'adorn_memories')
      .addColumn('app', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('event_id', 'text')
      .addColumn('session_id', 'text')
      .addColumn('author', 'text')
      .addColumn('timestamp', 'double precision')
      .addColumn('dated', 'double precision', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addUniqueConstraint('adorn_memories_event', ['app', 'user_id', 'event_id'])
      .execute();
    await queries.schema
      .createIndex('adorn_memories_latest')
      .on('adorn_memories')
      .columns(['app', 'user_id', 'dated', 'no'])
      .execute();
    await (dialect === 'sqlite' ? addWordsOfSqlite(queries) : addWordsOfPostgres(queries));
    await addVectors(queries, dialect);
  },
};

/** An FTS5 table without a copy of the text; a trigger takes words out whenever their memory goes. */
async function addWordsOfSqlite(queries: Queries): Promise<void> {
  await sql`
    create virtual table adorn_memory_words using fts5(
      owner, words, content = '', contentless_delete = 1,
      tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
    )`.execute(queries);
  await sql`
    create trigger adorn_memories_forgotten after delete on adorn_memories begin
      delete from adorn_memory_words where rowid = old.no;
    end`.execute(queries);
}

async function addWordsOfPostgres(queries: Queries): Promise<void> {
  await sql`alter table adorn_memories add column words tsvector not null`.execute(queries);
  await sql`create index adorn_memories_words on adorn_memories using gin (words)`.execute(queries);
}

/**
 * Plain numbers rather than a type of an extension: they can be kept before the extension is there, and compared
 * without it. The search is always over one user's, so an index over all would not serve it.
 */
async function addVectors(queries: Queries, dialect: 'sqlite' | 'postgres'): Promise<void> {
  await queries.schema
    .createTable('adorn_memory_vectors')
    .addColumn('memory_no', 'bigint', (column) =>
      column.primaryKey().references('adorn_memories.no').onDelete('cascade'),
    )
    .addColumn('embedder', 'text', (column) => column.notNull())
    .addColumn('vector', dialect === 'sqlite' ? 'blob' : sql`real[]`, (column) => column.notNull())
    .execute();
}
