import { CompiledQuery, sql } from 'kysely';

import type { Queries } from '../../database/database.js';
import { writeOwnState, writeSharedState } from '../write-state.js';
import { type EventWrite, isEmpty, type PlacedEvent } from './event-write.js';

const INSERT =
  'insert into adorn_events (session_no, seq, id, invocation_id, timestamp, body) values (?, ?, ?, ?, ?, ?)';

interface PlacedRow {
  readonly seq: number;
  readonly state_version: number;
}

/**
 * Appends by one statement after the other: for SQLite, which has no round trips, and whose transaction holds the
 * writer's lock from its beginning.
 *
 * @returns undefined where the session is not there, or not as the writer expects it
 */
export async function appendInTransaction(
  queries: Queries,
  write: EventWrite,
): Promise<PlacedEvent | undefined> {
  const placed = await takePlace(queries, write);
  if (placed === undefined) return undefined;
  const { seq, state_version: ownVersion } = placed;
  const { sessionNo, id, invocationId, timestamp, body, own, user, app } = write;
  await queries.executeQuery(CompiledQuery.raw(INSERT, [sessionNo, seq, id, invocationId, timestamp, body]));
  await writeRequests(queries, write, seq);
  await writeOwnState(queries, sessionNo, own);
  const userVersion = await writeSharedState(queries, user);
  const appVersion = await writeSharedState(queries, app);
  return { seq, ownVersion, userVersion, appVersion };
}

/** Each text is one of four at the most, so that each is prepared once. */
async function takePlace(
  queries: Queries,
  { sessionNo, timestamp, own, invocationId, expectedSeq, epoch }: EventWrite,
): Promise<PlacedRow | undefined> {
  const parameters: unknown[] = [isEmpty(own) ? 0 : 1, timestamp, sessionNo];
  let condition = 'no = ?';
  if (expectedSeq !== undefined) {
    condition += ' and next_seq = ?';
    parameters.push(expectedSeq);
  }
  if (epoch !== undefined) {
    condition += ' and not exists (select 1 from json_each(epochs) where key = ? and value > ?)';
    parameters.push(invocationId, epoch);
  }
  const { rows } = await queries.executeQuery<PlacedRow>(
    CompiledQuery.raw(
      `update adorn_sessions set next_seq = next_seq + 1, state_version = state_version + ?, updated_at = ?
       where ${condition} returning next_seq - 1 as seq, state_version`,
      parameters,
    ),
  );
  return rows[0];
}

async function writeRequests(
  queries: Queries,
  { sessionNo, opens, consumes }: EventWrite,
  seq: number,
): Promise<void> {
  for (const id of consumes) {
    await queries
      .insertInto('adorn_requests')
      .values({ session_no: sessionNo, id, opened_seq: null, answered_seq: seq })
      .onConflict((conflict) =>
        conflict.columns(['session_no', 'id']).doUpdateSet({ answered_seq: onlyOnce }),
      )
      .execute();
  }
  for (const id of opens) {
    await queries
      .insertInto('adorn_requests')
      .values({ session_no: sessionNo, id, opened_seq: seq, answered_seq: null })
      .onConflict((conflict) => conflict.columns(['session_no', 'id']).doNothing())
      .execute();
  }
}

/** The table refuses the place -1. */
const onlyOnce = sql<number>`
  case when adorn_requests.answered_seq is null then excluded.answered_seq else -1 end`;
