import { createHash } from 'node:crypto';

import { sql } from 'kysely';

import { storedNames } from '../database/stored-name.js';
import type { Queries } from '../database/database.js';
import type { NewMemory, Owner } from './memory-row.js';
import { type WordIndex, wordsOf } from './word-index.js';

/** An index in FTS5. The owner is a word of the index, so that memories of other users are not scanned. */
export const sqliteWords: WordIndex = {
  hold: () => Promise.resolve(),

  async insert(queries, owner, memories) {
    for (const memory of memories) await insertOne(queries, tokenOf(owner), memory);
  },

  async find(queries, owner, words, limit) {
    const { rows } = await sql<{ no: number }>`
      select rowid as no from adorn_memory_words
      where adorn_memory_words match ${matching(tokenOf(owner), words)}
      order by bm25(adorn_memory_words, 0.0, 1.0), rowid desc limit ${limit}`.execute(queries);
    return rows.map(({ no }) => no);
  },
};

async function insertOne(queries: Queries, token: string, { row, text }: NewMemory): Promise<void> {
  const added = await queries
    .insertInto('adorn_memories')
    .values(row)
    .onConflict((conflict) => conflict.columns(['app', 'user_id', 'event_id']).doNothing())
    .returning('no')
    .executeTakeFirst();
  if (added === undefined) return;
  await sql`
    insert into adorn_memory_words (rowid, owner, words)
    values (${added.no}, ${token}, ${wordsOf(text).join(' ')})`.execute(queries);
}

function tokenOf({ app, user_id: userId }: Owner): string {
  return createHash('sha256').update(storedNames(app, userId)).digest('hex');
}

/** An expression of FTS5, in which every word is a quoted string. */
function matching(token: string, words: readonly string[]): string {
  return `owner : ${quoted(token)} AND words : (${words.map(quoted).join(' OR ')})`;
}

function quoted(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}
