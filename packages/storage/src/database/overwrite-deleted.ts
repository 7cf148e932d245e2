import { AdornError } from '@adorn/core';
import { sql } from 'kysely';

import type { Database } from './database.js';

const POSTGRES =
  'PostgreSQL keeps deleted rows in its files until VACUUM has run and their space was used again, and in its write-ahead log, ' +
  'replicas and backups for as long as those are kept.';

/**
 * Writes a SQLite file anew, without what was deleted from it, and empties its write-ahead log. PostgreSQL does this by itself, later.
 *
 * @returns what cannot be reached, as sentences
 */
export async function overwriteDeleted(database: Database): Promise<readonly string[]> {
  if (database.dialect === 'postgres') return [POSTGRES];
  try {
    return await database.run(async (queries) => {
      // Terms of deleted memories stay in the segments of the index until these are merged.
      await sql`insert into adorn_memory_words (adorn_memory_words) values ('optimize')`.execute(queries);
      await sql`vacuum`.execute(queries);
      const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(queries);
      const isBusy = rows.some(({ busy }) => busy !== 0);
      return isBusy
        ? [
            `Another process reads ${database.place}: its log still has what was deleted. Forget the user again.`,
          ]
        : [];
    });
  } catch (error) {
    if (!AdornError.is(error)) throw error;
    return [
      `${database.place} could not be written anew, so it still has what was deleted: ${error.message}`,
    ];
  }
}
