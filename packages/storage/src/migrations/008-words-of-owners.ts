import { sql } from 'kysely';

import type { Queries } from '../database/database.js';
import { fromRow, textOf } from '../memory/memory-row.js';

import { indexWords } from '../memory/sqlite-words.js';
import type { Migration } from './migration.js';

/** Builds SQLite's index of memories anew, by words of owners. On PostgreSQL, the index is as it was. */
export const wordsOfOwners: Migration = {
  name: '008-words-of-owners',
  async up(queries, dialect) {
    if (dialect === 'postgres') return;
    await sql`drop table adorn_memory_words`.execute(queries);
    await sql`
      create virtual table adorn_memory_words using fts5(
        words, content = '', contentless_delete = 1, tokenize = 'ascii'
      )`.execute(queries);
    await indexAll(queries);
  },
};

/** How many memories are read at once. */
const PAGE = 100;

async function indexAll(queries: Queries): Promise<void> {
  for (let after = 0; ;) {
    const memories = await queries
      .selectFrom('adorn_memories')
      .selectAll()
      .where('no', '>', after)
      .orderBy('no')
      .limit(PAGE)
      .execute();
    for (const memory of memories) await indexWords(queries, memory, memory.no, textOfRow(memory));
    const last = memories.at(-1);
    if (!last || memories.length < PAGE) return;
    after = last.no;
  }
}

/** Empty if the row is damaged: the database is opened anyway, and the memory is not found by words. */
function textOfRow(row: Parameters<typeof fromRow>[0]): string {
  try {
    return textOf(fromRow(row).content);
  } catch {
    return '';
  }
}
