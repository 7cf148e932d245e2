import { sql } from 'kysely';

import type { Queries } from '../../database/database.js';
import { writeOwnState, writeSharedState } from '../write-state.js';
import { type EventWrite, isEmpty, type PlacedEvent } from './event-write.js';

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
  await queries
    .insertInto('adorn_events')
    .values({ session_no: sessionNo, seq, id, invocation_id: invocationId, timestamp, body })
    .execute();
  await writeRequests(queries, write, seq);
  await writeOwnState(queries, sessionNo, own);
  const userVersion = await writeSharedState(queries, user);
  const appVersion = await writeSharedState(queries, app);
  return { seq, ownVersion, userVersion, appVersion };
}

function takePlace(
  queries: Queries,
  { sessionNo, timestamp, own, invocationId, expectedSeq, epoch }: EventWrite,
): Promise<{ seq: number; state_version: number } | undefined> {
  const changed = isEmpty(own) ? 0 : 1;
  let update = queries
    .updateTable('adorn_sessions')
    .set((row) => ({
      next_seq: row('next_seq', '+', 1),
      state_version: row('state_version', '+', changed),
      updated_at: timestamp,
    }))
    .where('no', '=', sessionNo);
  if (expectedSeq !== undefined) update = update.where('next_seq', '=', expectedSeq);
  if (epoch !== undefined) {
    update = update.where(sql<boolean>`
      not exists (select 1 from json_each(epochs) where key = ${invocationId} and value > ${epoch})`);
  }
  return update.returning((row) => [row('next_seq', '-', 1).as('seq'), 'state_version']).executeTakeFirst();
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
