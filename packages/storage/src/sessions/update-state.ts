import { type SessionKey, SessionNotFoundError } from '@adorn/core';

import type { Queries } from '../database/database.js';
import { isEmpty } from './append/event-write.js';
import type { ScopedDelta } from './scoped-delta.js';
import { addressOfApp, addressOfUser } from './shared-state.js';
import { stateRows } from './state-rows.js';
import { whereKey } from './where-key.js';
import { writeOwnState, writeSharedState } from './write-state.js';

/**
 * Lays a delta over the state without an event; to be done in a transaction.
 *
 * @param time seconds since 1970
 * @throws {SessionNotFoundError}
 */
export async function updateState(
  queries: Queries,
  key: SessionKey,
  delta: ScopedDelta,
  time: number,
): Promise<void> {
  const own = stateRows(delta.session);
  const changed = isEmpty(own) ? 0 : 1;
  const counted = queries.updateTable('adorn_sessions').set((row) => ({
    state_version: row('state_version', '+', changed),
    updated_at: time,
  }));
  const row = await whereKey(counted, key).returning('no').executeTakeFirst();
  if (row === undefined) throw new SessionNotFoundError(key.sessionId);
  await writeOwnState(queries, row.no, own);
  await writeSharedState(queries, { address: addressOfUser(key), ...stateRows(delta.user) });
  await writeSharedState(queries, { address: addressOfApp(key), ...stateRows(delta.app) });
}
