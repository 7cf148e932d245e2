import type { PreparedStatements } from '../../database/sqlite/prepared-statements.js';
import { isEmpty } from '../state-write.js';
import type { EventWrite } from './event-write.js';
import { IS_CURRENT } from './place-statement.js';

/** A session as its writer knows it. */
export interface SeenSession {
  readonly nextSeq: number;
  readonly stateVersion: number;
}

/** An event for the next position of a session, if no other writer has taken it. */
export interface LoneEvent {
  readonly write: EventWrite;
  readonly seen: SeenSession;
}

/** True if only the event is written, as for most events. */
export function isAlone({ own, user, app, opens, consumes }: EventWrite): boolean {
  return opens.length === 0 && consumes.length === 0 && [own, user, app].every(isEmpty);
}

/**
 * Inserts events that are alone, one statement each: for SQLite, where a trigger moves their sessions on.
 *
 * @returns for each, whether it was inserted: not if its session is gone, or not as the writer knows it or expects it
 */
export function insertLoneEvents(statements: PreparedStatements, events: readonly LoneEvent[]): boolean[] {
  return events.map((event) => insert(statements, event));
}

function insert(statements: PreparedStatements, { write, seen }: LoneEvent): boolean {
  const { sessionNo, id, invocationId, timestamp, body, expectedSeq, epoch, epochOf } = write;
  if (expectedSeq !== undefined && expectedSeq !== seen.nextSeq) return false;
  const parameters = [id, invocationId, timestamp, body, sessionNo, seen.nextSeq, seen.stateVersion];
  const { changes } =
    epoch === undefined
      ? statements.prepare(INSERT).run(parameters)
      : statements.prepare(INSERT_IF_CURRENT).run([...parameters, epochOf, epoch]);
  return changes > 0;
}

const INSERT = `
  insert into adorn_events (session_no, seq, id, invocation_id, timestamp, body)
  select no, next_seq, ?, ?, ?, ? from adorn_sessions where no = ? and next_seq = ? and state_version = ?`;

const INSERT_IF_CURRENT = `${INSERT} and ${IS_CURRENT}`;
