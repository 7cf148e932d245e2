import { existsSync } from 'node:fs';

import type { Database } from '@adorn/storage';

import { UsageError } from '../usage.error.js';

/** True for a SQLite file that is not there yet: opening the database would create it. */
export function isMissingStore({ dialect, place }: Database): boolean {
  return dialect === 'sqlite' && place !== ':memory:' && !existsSync(place);
}

/**
 * Checks the store of a command that reads what others have stored. A PostgreSQL server is not asked.
 *
 * @throws {UsageError} for a SQLite file that is not there, such as one whose name is mistyped
 */
export async function requireStore(url: string): Promise<void> {
  const { Database } = await import('@adorn/storage');
  const database = new Database(url);
  if (!isMissingStore(database)) return;
  throw new UsageError(
    `There is no store ${database.place}. Name the file in which the conversations are stored; adorn run --store creates one.`,
  );
}
