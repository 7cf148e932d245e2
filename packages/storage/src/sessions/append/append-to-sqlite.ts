import type { PreparedStatements } from '../../database/sqlite/prepared-statements.js';
import { DATABASE_NOW } from '../runs/run-holds.js';
import { scopeStart } from '../scope-start.js';
import { isEmpty, type SharedWrite, type StateRows } from '../state-write.js';
import type { AppendWrite, EventRow, OpeningRow, PlacedWrite, Resumed } from './append-write.js';

/** A session as its writer knows it. */
export interface SeenSession {
  readonly nextSeq: number;
  readonly stateVersion: number;
  readonly epoch: number;
}

/** One event for the next position of a session, if no other writer has changed the session. */
export interface LoneAppend {
  readonly write: AppendWrite;
  readonly seen: SeenSession;
}

/**
 * Appends to SQLite, by one statement if the event opens no run: a trigger counts the event.
 *
 * @returns undefined if the session is gone, or not as the writer knows it or expects it
 */
export function appendLone(
  statements: PreparedStatements,
  { write, seen }: LoneAppend,
): PlacedWrite | undefined {
  const { sessionNo, events, expectedSeq, expectedEpoch = seen.epoch, opening } = write;
  const [event] = events;
  const { nextSeq, stateVersion } = seen;
  if (!event || (expectedSeq !== undefined && expectedSeq !== nextSeq)) return undefined;
  const { id, invocationId, timestamp, body } = event;
  const { changes } = statements
    .prepare(INSERT_NEXT)
    .run([id, invocationId, timestamp, body, sessionNo, nextSeq, stateVersion, expectedEpoch]);
  if (changes === 0) return undefined;
  return {
    seq: nextSeq,
    ownVersion: stateVersion,
    userVersion: undefined,
    appVersion: undefined,
    epoch: opening?.epoch ?? expectedEpoch,
    resumed: opening && openRun(statements, sessionNo, opening),
  };
}

const INSERT_NEXT = `
  insert into adorn_events (session_no, seq, id, invocation_id, timestamp, body)
  select no, next_seq, ?, ?, ?, ? from adorn_sessions
  where no = ? and next_seq = ? and state_version = ? and run_epoch = ?`;

/**
 * Appends to SQLite by one statement after the other; to be done in a transaction.
 *
 * @returns undefined if the session is gone, or not as the writer expects it: nothing was written
 */
export function appendToSqlite(statements: PreparedStatements, write: AppendWrite): PlacedWrite | undefined {
  const placed = place(statements, write);
  if (!placed) return undefined;
  const { sessionNo, events, answers, own, user, app, opening, becomes, touches } = write;
  const { next_seq, state_version: ownVersion, run_epoch } = placed;
  const seq = next_seq - events.length;
  for (const [index, event] of events.entries()) insertEvent(statements, sessionNo, seq + index, event);
  for (const id of answers) statements.prepare(ANSWER_REQUEST).run([sessionNo, id, seq]);
  for (const [index, { requests }] of events.entries()) {
    for (const id of requests) statements.prepare(ADD_REQUEST).run([sessionNo, id, seq + index]);
  }
  if (touches) statements.prepare(TOUCH).run([sessionNo, next_seq]);
  writeOwnState(statements, sessionNo, own);
  if (becomes !== undefined) statements.prepare(SET_STATUS).run([becomes, sessionNo, sessionNo]);
  return {
    seq,
    ownVersion,
    userVersion: writeSharedState(statements, user),
    appVersion: writeSharedState(statements, app),
    epoch: opening?.epoch ?? run_epoch,
    resumed: opening && openRun(statements, sessionNo, opening),
  };
}

interface PlacedRow {
  readonly next_seq: number;
  readonly state_version: number;
  readonly run_epoch: number;
}

/** Takes the next positions of a log. The text is one of four, so that each is prepared once. */
function place(
  statements: PreparedStatements,
  { sessionNo, events, own, expectedSeq, expectedEpoch }: AppendWrite,
): PlacedRow | undefined {
  const parameters = [events.length, isEmpty(own) ? 0 : 1, events.at(-1)?.timestamp, sessionNo];
  let text = PLACE;
  if (expectedSeq !== undefined) {
    text += ' and next_seq = ?';
    parameters.push(expectedSeq);
  }
  if (expectedEpoch !== undefined) {
    text += ' and run_epoch = ?';
    parameters.push(expectedEpoch);
  }
  const [row] = statements.prepare(`${text} returning next_seq, state_version, run_epoch`).all(parameters);
  return row as PlacedRow | undefined;
}

const PLACE = `
  update adorn_sessions
  set next_seq = next_seq + ?, state_version = state_version + ?, updated_at = coalesce(?, updated_at)
  where no = ?`;

function insertEvent(
  statements: PreparedStatements,
  sessionNo: number,
  seq: number,
  { id, invocationId, timestamp, body }: EventRow,
): void {
  statements.prepare(INSERT_EVENT).run([sessionNo, seq, id, invocationId, timestamp, body]);
}

const INSERT_EVENT = `
  insert into adorn_events (session_no, seq, id, invocation_id, timestamp, body) values (?, ?, ?, ?, ?, ?)`;

/** A second answer is written as the position -1, which the table refuses. */
const ANSWER_REQUEST = `
  insert into adorn_requests (session_no, id, answered_seq) values (?, ?, ?)
  on conflict (session_no, id) do update set
    answered_seq = case when answered_seq is null then excluded.answered_seq else -1 end`;

const ADD_REQUEST = `
  insert into adorn_requests (session_no, id, opened_seq) values (?, ?, ?)
  on conflict (session_no, id) do nothing`;

const TOUCH = `
  insert into adorn_asking (session_no, touched_seq) values (?, ?)
  on conflict (session_no) do update set touched_seq = excluded.touched_seq`;

function writeOwnState(statements: PreparedStatements, sessionNo: number, { set, gone }: StateRows): void {
  for (const { key, value } of set) statements.prepare(SET_OWN).run([sessionNo, key, value]);
  for (const key of gone) statements.prepare(REMOVE_OWN).run([sessionNo, key]);
}

const SET_OWN = `
  insert into adorn_session_state (session_no, key, value) values (?, ?, ?)
  on conflict (session_no, key) do update set value = excluded.value`;

const REMOVE_OWN = 'delete from adorn_session_state where session_no = ? and key = ?';

/** @returns the new version; undefined if there is nothing to write */
function writeSharedState(statements: PreparedStatements, write: SharedWrite): number | undefined {
  if (isEmpty(write)) return undefined;
  const [row] = statements.prepare(COUNT_SHARED).all([write.address, scopeStart()]);
  const { no, version } = row as { readonly no: number; readonly version: number };
  for (const { key, value } of write.set) statements.prepare(SET_SHARED).run([no, key, value]);
  for (const key of write.gone) statements.prepare(REMOVE_SHARED).run([no, key]);
  return version;
}

const COUNT_SHARED = `
  insert into adorn_scopes (address, version) values (?, ?)
  on conflict (address) do update set version = version + 1
  returning no, version`;

const SET_SHARED = `
  insert into adorn_scope_state (scope_no, key, value) values (?, ?, ?)
  on conflict (scope_no, key) do update set value = excluded.value`;

const REMOVE_SHARED = 'delete from adorn_scope_state where scope_no = ? and key = ?';

/** Gives the session to a run. The run that it continues ends, and so does the session's last run, if it is open. */
function openRun(
  statements: PreparedStatements,
  sessionNo: number,
  { id, continues, status, epoch, opened_at, isRecovery, isHeld, isLastOpen }: OpeningRow,
): Resumed {
  if (isLastOpen || continues !== null)
    statements.prepare(END_EARLIER_RUNS).run([sessionNo, continues, sessionNo, id, continues]);
  const attempts = isRecovery ? 1 : 0;
  const [run] = statements
    .prepare(INSERT_RUN)
    .all([sessionNo, id, continues, status, epoch, opened_at, attempts, isHeld ? 1 : 0]);
  statements.prepare(TAKE_SESSION).run([epoch, id, sessionNo]);
  return run as Resumed;
}

const END_EARLIER_RUNS = `
  update adorn_runs set status = 'ended'
  where session_no = ? and id in (?, (select last_run from adorn_sessions where no = ?)) and id <> ?
    and (id = ? or status = 'open')`;

const INSERT_RUN = `
  insert into adorn_runs (session_no, id, continues, status, epoch, opened_at, attempts, held_at)
  values (?, ?, ?, ?, ?, ?, ?, case when ? = 1 then ${DATABASE_NOW.sqlite} end)
  on conflict (session_no, id) do update set
    continues = coalesce(excluded.continues, continues), status = excluded.status, epoch = excluded.epoch,
    opened_at = excluded.opened_at, attempts = case excluded.attempts when 0 then 0 else attempts + 1 end,
    held_at = excluded.held_at, read_at = null, is_released = 0, is_cancel_requested = 0
  returning continues, attempts`;

const TAKE_SESSION = 'update adorn_sessions set run_epoch = ?, last_run = ? where no = ?';

const SET_STATUS = `
  update adorn_runs set status = ?
  where session_no = ? and id = (select last_run from adorn_sessions where no = ?)`;
