import type { Event, GetSessionOptions, Session, SessionKey } from '@adorn/core';

import { sql } from 'kysely';

import type { Queries } from '../database/database.js';
import { PREPARED } from '../database/postgres/statement-names.js';
import type { CachedSession } from './cached-session.js';
import { eventOf } from './event-body.js';
import { runFrom } from './runs/run-row.js';
import { readHead, titleFrom } from './session-head.js';
import { addressesOf } from './shared-state.js';
import { entryOf, type StateEntry, stateFrom, type StateRow } from './state-write.js';

/** A part of a session's log, oldest first. */
export async function readEvents(
  queries: Queries,
  no: number,
  { afterSeq = -1, afterTimestamp, numRecentEvents }: GetSessionOptions = {},
): Promise<Event[]> {
  let query = queries
    .selectFrom('adorn_events')
    .select(['seq', 'body'])
    .where('session_no', '=', no)
    .modifyEnd(sql.raw(PREPARED));
  if (afterSeq >= 0) query = query.where('seq', '>', afterSeq);
  if (afterTimestamp !== undefined) query = query.where('timestamp', '>=', afterTimestamp);
  if (numRecentEvents === undefined) {
    const rows = await query.orderBy('seq').execute();
    return rows.map(({ seq, body }) => eventOf(body, no, seq));
  }
  const rows = await query.orderBy('seq', 'desc').limit(numRecentEvents).execute();
  return rows.reverse().map(({ seq, body }) => eventOf(body, no, seq));
}

/**
 * Adds the events that others have appended to the ones that were read.
 *
 * @param nextSeq the place up to which
 */
export async function readNewEvents(
  queries: Queries,
  session: CachedSession,
  nextSeq: number,
): Promise<void> {
  const {
    no,
    log: { events },
  } = session;
  if (nextSeq <= events.length) return;
  const found = await readEvents(queries, no, { afterSeq: events.length - 1 });
  for (const event of found.slice(0, nextSeq - events.length)) events.push(event);
}

/** The keys of the session's own state. */
export async function readOwnState(queries: Queries, no: number): Promise<StateEntry[]> {
  const rows = await queries
    .selectFrom('adorn_session_state')
    .select(['key', 'value'])
    .where('session_no', '=', no)
    .modifyEnd(sql.raw(PREPARED))
    .execute();
  const owner = `session_no ${String(no)}`;
  return rows.map((row) => entryOf(row, 'adorn_session_state', owner));
}

/** The keys of the states that sessions of one user share: the application's first. */
async function readSharedStates(
  queries: Queries,
  owner: Omit<SessionKey, 'sessionId'>,
): Promise<StateEntry[]> {
  const { app, user } = addressesOf(owner);
  return [...(await readSharedState(queries, app)), ...(await readSharedState(queries, user))];
}

/** The same as rows, which are not read yet. */
export async function readSharedRows(
  queries: Queries,
  owner: Omit<SessionKey, 'sessionId'>,
): Promise<StateRow[]> {
  const { app, user } = addressesOf(owner);
  return [...(await readRows(queries, app)), ...(await readRows(queries, user))];
}

/** The keys of a state that sessions share. */
export async function readSharedState(queries: Queries, address: string): Promise<StateEntry[]> {
  const rows = await readRows(queries, address);
  const owner = `scope ${address}`;
  return rows.map((row) => entryOf(row, 'adorn_scope_state', owner));
}

function readRows(queries: Queries, address: string): Promise<StateRow[]> {
  return queries
    .selectFrom('adorn_scope_state as state')
    .innerJoin('adorn_scopes as scope', 'scope.no', 'state.scope_no')
    .select(['state.key', 'state.value'])
    .where('scope.address', '=', address)
    .modifyEnd(sql.raw(PREPARED))
    .execute();
}

/** A session with a part of its log: nothing else of it is read. */
export async function readExcerpt(
  queries: Queries,
  key: SessionKey,
  options: GetSessionOptions,
): Promise<Session | undefined> {
  const head = await readHead(queries, key);
  if (head === undefined) return undefined;
  const shared = await readSharedStates(queries, key);
  const own = await readOwnState(queries, head.no);
  return {
    appName: key.appName,
    userId: key.userId,
    id: key.sessionId,
    title: titleFrom(head.title),
    state: stateFrom([...shared, ...own]),
    events: await readEvents(queries, head.no, options),
    nextSeq: head.next_seq,
    lastUpdateTime: head.updated_at,
    lastRun: runFrom(head),
  };
}
