import { AdornError } from '@adorn/core';

import { isMissingStore } from '../files/missing-store.js';
import type { Finding } from './finding.js';

/** Whether a store can be reached and is up to date. Nothing is written, and none is created. */
export async function checkStore(url: string): Promise<Finding> {
  const about = 'store';
  const { Database } = await import('@adorn/storage');
  try {
    const database = new Database(url, { migrate: false });
    if (isMissingStore(database))
      return { about, status: 'note', text: `there is no ${url} yet: it is created when it is first used` };
    try {
      await database.open();
      return { about, status: 'fine', text: `${database.place} is reached, and up to date` };
    } finally {
      await database.close();
    }
  } catch (error) {
    if (!AdornError.is(error)) throw error;
    const isDue = error.code === 'STORAGE_OUTDATED';
    const text = `${error.message} (${error.code})`;
    return { about, status: 'fault', text, cure: isDue ? `adorn migrate ${url}` : undefined };
  }
}
