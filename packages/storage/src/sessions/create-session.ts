import type { Event, RunRecord, SessionKey } from '@adorn/core';
import { SessionExistsError } from '@adorn/core/backend';

import type { Queries } from '../database/database.js';
import { rowsPerStatement } from '../database/tables.js';
import { storedName } from '../database/stored-name.js';
import { runRow } from './runs/run-row.js';
import { type ScopedDelta, stateWriteOf } from './state-write.js';
import { addressesOf } from './shared-state.js';
import { writeStateUpdate } from './state-updates.js';
import { writeState } from './write-state.js';

/** The initial content of a session. */
export interface NewSession {
  readonly delta: ScopedDelta;
  readonly title?: string | undefined;
  readonly nextSeq?: number;
  /** The last run. */
  readonly run?: RunRecord | undefined;
  /** Seconds since 1970. */
  readonly time: number;
}

/**
 * Makes a session; to be done in a transaction.
 *
 * @returns the row's number
 * @throws {SessionExistsError}
 */
export async function createSession(queries: Queries, key: SessionKey, begin: NewSession): Promise<number> {
  const { delta, title, nextSeq = 0, run, time } = begin;
  const row = await queries
    .insertInto('adorn_sessions')
    .values({
      app: storedName(key.appName),
      user_id: storedName(key.userId),
      id: storedName(key.sessionId),
      title: title === undefined ? null : storedName(title),
      next_seq: nextSeq,
      state_version: 0,
      run_epoch: run?.epoch ?? 0,
      last_run: run === undefined ? null : storedName(run.id),
      created_at: time,
      updated_at: time,
    })
    .onConflict((conflict) => conflict.columns(['app', 'user_id', 'id']).doNothing())
    .returning('no')
    .executeTakeFirst();
  if (row === undefined) throw new SessionExistsError(key.sessionId);
  if (run !== undefined) await queries.insertInto('adorn_runs').values(runRow(row.no, run)).execute();
  const write = stateWriteOf(addressesOf(key), delta);
  await writeState(queries, row.no, write);
  await writeStateUpdate(queries, row.no, nextSeq, write.own);
  return row.no;
}

/** Writes a whole log; to be done in a transaction. */
export async function writeLog(
  queries: Queries,
  no: number,
  events: readonly { readonly event: Event; readonly body: string }[],
): Promise<void> {
  const rows = events.map(({ event: { id, invocationId, timestamp }, body }, seq) => {
    return {
      session_no: no,
      seq,
      id: storedName(id),
      invocation_id: storedName(invocationId),
      timestamp,
      body,
    };
  });
  for (const portion of rowsPerStatement(rows)) {
    await queries.insertInto('adorn_events').values(portion).execute();
  }
}
