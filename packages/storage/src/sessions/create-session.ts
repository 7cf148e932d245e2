import type { Event, SessionKey } from '@adorn/core';
import { SessionExistsError, type RunRecord } from '@adorn/core/backend';

import { sql } from 'kysely';

import type { Queries } from '../database/database.js';
import { PREPARED } from '../database/postgres/statement-names.js';
import { rowsPerStatement } from '../database/tables.js';
import { storedName } from '../database/stored-name.js';
import { type OwnState, ownStateOf } from './read-session.js';
import { NO_RUN, runRow } from './runs/run-row.js';
import { type ScopedDelta, stateWriteOf } from './state-write.js';
import type { SessionHead } from './session-head.js';
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

/** A session as it was created; its run is left out. */
export interface CreatedSession {
  readonly head: SessionHead;
  readonly own: OwnState;
}

/**
 * Makes a session; to be done in a transaction if it has a state or a run.
 *
 * @throws {SessionExistsError}
 */
export async function createSession(
  queries: Queries,
  key: SessionKey,
  begin: NewSession,
): Promise<CreatedSession> {
  const addresses = addressesOf(key);
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
      last_run: run ? storedName(run.id) : null,
      created_at: time,
      updated_at: time,
    })
    .onConflict((conflict) => conflict.columns(['app', 'user_id', 'id']).doNothing())
    .returning((eb) => {
      const version = (address: string) =>
        eb.selectFrom('adorn_scopes').select('version').where('address', '=', address);
      return ['no', version(addresses.user).as('user_version'), version(addresses.app).as('app_version')];
    })
    .modifyEnd(sql.raw(PREPARED))
    .executeTakeFirst();
  if (!row) throw new SessionExistsError(key.sessionId);
  if (run) await queries.insertInto('adorn_runs').values(runRow(row.no, run)).execute();
  const write = stateWriteOf(addresses, delta);
  const { userVersion, appVersion } = await writeState(queries, row.no, write);
  await writeStateUpdate(queries, row.no, nextSeq, write.own);
  const head: SessionHead = {
    no: row.no,
    title: title === undefined ? null : storedName(title),
    next_seq: nextSeq,
    state_version: 0,
    updated_at: time,
    user_version: userVersion ?? row.user_version,
    app_version: appVersion ?? row.app_version,
    ...NO_RUN,
  };
  return { head, own: ownStateOf(write.own.set, row.no) };
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
