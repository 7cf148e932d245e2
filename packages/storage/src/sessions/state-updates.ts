import type { SessionKey, StateUpdate } from '@adorn/core';
import { sql } from 'kysely';

import type { Queries } from '../database/database.js';
import { rowsPerStatement } from '../database/rows-per-statement.js';
import { storedJson } from '../database/stored-json.js';
import { nameFrom } from '../database/stored-name.js';
import type { StateRows } from './state-rows.js';
import { whereKey } from './where-key.js';

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
