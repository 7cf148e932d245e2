import { existsSync } from 'node:fs';

import type { Database } from '@adorn/storage';

/** True for a SQLite file that is not there yet: opening the database would create it. */
export function isMissingStore({ dialect, place }: Database): boolean {
  return dialect === 'sqlite' && place !== ':memory:' && !existsSync(place);
}
