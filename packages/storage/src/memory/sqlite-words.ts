import { createHash } from 'node:crypto';

import { composedKey } from '@adorn/core/backend';
import { sql } from 'kysely';

import type { Queries } from '../database/database.js';
import type { NewMemory, Owner } from './memory-row.js';
import { type WordIndex, wordsOf } from './word-index.js';

/**
 * An index in FTS5, which has one list of rows for each term. A term is a word of one owner, so that a search reads no
 * list that other users' memories are in.
 */
export const sqliteWords: WordIndex = {
  hold: () => Promise.resolve(),

  async insert(queries, owner, memories) {
    for (const memory of memories) await insertOne(queries, owner, memory);
  },

  async replace(queries, owner, no, text) {
    await sql`delete from adorn_memory_words where rowid = ${no}`.execute(queries);
    await indexWords(queries, owner, no, text);
  },

  async find(queries, owner, words, limit) {
    const matching = termsOf(owner, words)
      .map((term) => `"${term}"`)
      .join(' OR ');
    const { rows } = await sql<{ no: number }>`
      select rowid as no from adorn_memory_words where adorn_memory_words match ${matching}
      order by bm25(adorn_memory_words), rowid desc limit ${limit}`.execute(queries);
    return rows.map(({ no }) => no);
  },
};

async function insertOne(queries: Queries, owner: Owner, { row, text }: NewMemory): Promise<void> {
  const added = await queries
    .insertInto('adorn_memories')
    .values(row)
    .onConflict((conflict) => conflict.columns(['app', 'user_id', 'event_id']).doNothing())
    .returning('no')
    .executeTakeFirst();
  if (added) await indexWords(queries, owner, added.no, text);
}

export async function indexWords(queries: Queries, owner: Owner, no: number, text: string): Promise<void> {
  const terms = termsOf(owner, wordsOf(text)).join(' ');
  await sql`insert into adorn_memory_words (rowid, words) values (${no}, ${terms})`.execute(queries);
}

/** The length of an owner's token in hexadecimal digits. FTS5 stores a prefix that terms share once. */
const TOKEN = 32;

const ASCII = /^[a-z\d]+$/;

/**
 * Terms of ASCII letters and digits only: a letter that SQLite does not know would end a term, and let a text write
 * the terms of another owner.
 */
function termsOf({ app, user_id: userId }: Owner, words: readonly string[]): string[] {
  const hash = createHash('sha256').update(composedKey(app, userId)).digest('hex');
  const token = hash.slice(0, TOKEN);
  return words.map((word) =>
    ASCII.test(word) ? `${token}w${word}` : `${token}x${Buffer.from(word).toString('hex')}`,
  );
}
