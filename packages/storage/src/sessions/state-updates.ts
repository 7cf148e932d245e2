import type { SessionKey } from '@adorn/core';
import { SessionNotFoundError, type StateUpdate } from '@adorn/core/backend';
import { sql } from 'kysely';

import type { Queries } from '../database/database.js';
import { storedJson } from '../database/stored-json.js';
import { nameFrom } from '../database/stored-name.js';
import { rowsPerStatement } from '../database/tables.js';
import { addressesOf } from './shared-state.js';
import { isEmpty, type ScopedDelta, type StateRows, stateWriteOf } from './state-write.js';
import { whereKey } from './where-key.js';
import { writeState } from './write-state.js';

/** Records own keys that were written without an event; call it in the transaction that writes them. */
export async function writeStateUpdate(
  queries: Queries,
  no: number,
  seq: number,
  { set, gone }: StateRows,
): Promise<void> {
  const removed = gone.map((key) => ({ key, value: null }));
  const rows = [...set, ...removed].map((row) => ({ session_no: no, seq, ...row }));
  for (const portion of rowsPerStatement(rows)) {
    await queries
      .insertInto('adorn_state_updates')
      .values(portion)
      .onConflict((conflict) =>
        conflict.columns(['session_no', 'seq', 'key']).doUpdateSet({ value: sql`excluded.value` }),
      )
      .execute();
  }
}

/** @throws {StorageRowDamagedError} */
export async function readStateUpdates(queries: Queries, sessionKey: SessionKey): Promise<StateUpdate[]> {
  const session = whereKey(queries.selectFrom('adorn_sessions'), sessionKey).select('no');
  const rows = await queries
    .selectFrom('adorn_state_updates')
    .select(['session_no', 'seq', 'key', 'value'])
    .where('session_no', '=', session)
    .orderBy('seq')
    .execute();
  const deltas = new Map<number, Map<string, unknown>>();
  for (const { session_no, seq, key, value } of rows) {
    const place = (): string => `session_no ${String(session_no)}, seq ${String(seq)}, key "${key}"`;
    const delta = deltas.get(seq) ?? new Map<string, unknown>();
    delta.set(nameFrom(key), value === null ? null : storedJson(value, 'adorn_state_updates', place));
    deltas.set(seq, delta);
  }
  return [...deltas].map(([seq, delta]) => ({ seq, stateDelta: Object.fromEntries(delta) }));
}

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
  if (!row) throw new SessionNotFoundError(key.sessionId);
  await writeState(queries, row.no, write);
  await writeStateUpdate(queries, row.no, row.next_seq, write.own);
}
