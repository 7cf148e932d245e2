import { composedKey } from '@adorn/core/backend';
import { type RawBuilder, sql } from 'kysely';

import type { Queries } from '../database/database.js';
import type { NewMemory } from './memory-row.js';
import { type WordIndex, wordsOf } from './word-index.js';

/** Rows of one statement, which takes 65,535 parameters at the most. */
const TOGETHER = 500;

/** An index with tsvector in the `simple` configuration, because texts are split into words before. */
export const postgresWords: WordIndex = {
  async hold(queries, { app, user_id: userId }) {
    const lock = composedKey('memory', app, userId);
    await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(queries);
  },

  async insert(queries, _owner, memories) {
    for (let start = 0; start < memories.length; start += TOGETHER) {
      await insertSome(queries, memories.slice(start, start + TOGETHER));
    }
  },

  async replace(queries, _owner, no, text) {
    await sql`
      update adorn_memories set words = to_tsvector('simple', ${wordsOf(text).join(' ')}) where no = ${no}`.execute(
      queries,
    );
  },

  async find(queries, { app, user_id: userId }, words, limit) {
    const asked = words.map((word) => sql`plainto_tsquery('simple', ${word})`);
    const any = sql`(${sql.join(asked, sql` || `)})`;
    const met = sql.join(
      asked.map((word) => sql`(words @@ ${word})::int`),
      sql` + `,
    );
    const { rows } = await sql<{ no: number }>`
      select no from adorn_memories
      where app = ${app} and user_id = ${userId} and words @@ ${any}
      order by ${met} + ts_rank(words, ${any}, 1) desc, no desc limit ${limit}`.execute(queries);
    return rows.map(({ no }) => no);
  },
};

async function insertSome(queries: Queries, memories: readonly NewMemory[]): Promise<void> {
  await sql`
    insert into adorn_memories (app, user_id, event_id, session_id, author, timestamp, dated, content, words)
    values ${sql.join(memories.map(valuesOf))}
    on conflict (app, user_id, event_id) do nothing`.execute(queries);
}

function valuesOf({ row, text }: NewMemory): RawBuilder<unknown> {
  const { app, user_id: userId, event_id: eventId, session_id: sessionId, author, timestamp, dated } = row;
  return sql`(${app}, ${userId}, ${eventId}, ${sessionId}, ${author}, ${timestamp}, ${dated}, ${row.content},
    to_tsvector('simple', ${wordsOf(text).join(' ')}))`;
}
