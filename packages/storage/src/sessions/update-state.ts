import type { SessionKey } from '@adorn/core';
import { SessionNotFoundError } from '@adorn/core/backend';

import type { Queries } from '../database/database.js';
import type { ScopedDelta } from './scoped-delta.js';
import { addressesOf } from './shared-state.js';
import { writeStateUpdate } from './state-updates.js';
import { isEmpty, stateWriteOf } from './state-write.js';
import { whereKey } from './where-key.js';
import { writeState } from './write-state.js';

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
  const write = stateWriteOf(addressesOf(key), delta);
  const changed = isEmpty(write.own) ? 0 : 1;
  const counted = queries.updateTable('adorn_sessions').set((row) => ({
    state_version: row('state_version', '+', changed),
    updated_at: time,
  }));
  const row = await whereKey(counted, key).returning(['no', 'next_seq']).executeTakeFirst();
  if (row === undefined) throw new SessionNotFoundError(key.sessionId);
  await writeState(queries, row.no, write);
  await writeStateUpdate(queries, row.no, row.next_seq, write.own);
}
