import type { SessionKey } from '@adorn/core';
import { SessionNotFoundError } from '@adorn/core/backend';
import { sql } from 'kysely';

import type { Queries } from '../database/database.js';
import { storedObject } from '../database/stored-json.js';
import { storedName } from '../database/stored-name.js';
import { whereKey } from './where-key.js';

/**
 * Counts the epoch of an invocation up; to be done in a transaction.
 *
 * @throws {SessionNotFoundError}
 */
export async function claimInvocation(
  queries: Queries,
  key: SessionKey,
  invocationId: string,
): Promise<number> {
  const locked = queries.updateTable('adorn_sessions').set({ epochs: sql.ref('epochs') });
  const row = await whereKey(locked, key).returning(['no', 'epochs']).executeTakeFirst();
  if (row === undefined) throw new SessionNotFoundError(key.sessionId);
  const name = storedName(invocationId);
  const epoch = epochIn(row.epochs, name) + 1;
  const epochs = JSON.stringify({ ...readEpochs(row.epochs), [name]: epoch });
  await queries.updateTable('adorn_sessions').set({ epochs }).where('no', '=', row.no).execute();
  return epoch;
}

/**
 * @param invocationId as it is stored
 * @returns 0 where nobody ever claimed the invocation
 */
export function epochIn(epochs: string, invocationId: string): number {
  return new Map(Object.entries(readEpochs(epochs))).get(invocationId) ?? 0;
}

function readEpochs(epochs: string): Record<string, number> {
  return storedObject(epochs, 'adorn_sessions', () => `epochs ${epochs.slice(0, 40)}`) as Record<
    string,
    number
  >;
}
