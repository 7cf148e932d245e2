import { CompiledQuery, sql } from 'kysely';

import type { Queries } from '../../database/database.js';
import { writeState } from '../write-state.js';
import {
  type EventWrite,
  INSERT_EVENT,
  type PlacedEvent,
  type PlacedRow,
  placeStatement,
} from './event-write.js';

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
  const { text, parameters } = placeStatement(write);
  const { rows } = await queries.executeQuery<PlacedRow>(CompiledQuery.raw(text, parameters));
  const [placed] = rows;
  if (placed === undefined) return undefined;
  const { seq, state_version: ownVersion } = placed;
  const { sessionNo, id, invocationId, timestamp, body } = write;
  await queries.executeQuery(
    CompiledQuery.raw(INSERT_EVENT, [sessionNo, seq, id, invocationId, timestamp, body]),
  );
  await writeRequests(queries, write, seq);
  return { seq, ownVersion, ...(await writeState(queries, sessionNo, write)) };
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
