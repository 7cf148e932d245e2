import type { Session, SessionKey } from '@adorn/core';
import { type GetSessionOptions, withIncarnation } from '@adorn/core/backend';

import { sql } from 'kysely';

import type { Queries } from '../database/database.js';
import { PREPARED } from '../database/postgres/statement-names.js';
import type { CachedSession } from './cached-session.js';
import { eventOf, type SizedEvent } from './event-body.js';
import { runFrom } from './runs/run-row.js';
import { readHead, titleFrom } from './session-head.js';
import { addressesOf } from './shared-state.js';
import { entryOf, type StateEntry, stateFrom, type StateRow } from './state-write.js';

interface EventRange extends GetSessionOptions {
  /** Only this number of oldest events. */
  readonly limit?: number;
}

/** A part of a session's log, oldest first. */
export async function readEvents(
  queries: Queries,
  no: number,
  { afterSeq = -1, afterTimestamp, numRecentEvents, limit }: EventRange = {},
): Promise<SizedEvent[]> {
  let query = queries
    .selectFrom('adorn_events')
    .select(['seq', 'body'])
    .where('session_no', '=', no)
    .modifyEnd(sql.raw(PREPARED));
  if (afterSeq >= 0) query = query.where('seq', '>', afterSeq);
  if (afterTimestamp !== undefined) query = query.where('timestamp', '>=', afterTimestamp);
  if (limit !== undefined) query = query.limit(limit);
  const rows =
    numRecentEvents === undefined
      ? await query.orderBy('seq').execute()
      : (await query.orderBy('seq', 'desc').limit(numRecentEvents).execute()).reverse();
  return rows.map(({ seq, body }) => ({ event: eventOf(body, no, seq), size: body.length }));
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
  for (const one of found.slice(0, nextSeq - events.length)) session.push(one);
}

/** A session's own state, and its length as JSON. */
export interface OwnState {
  readonly entries: readonly StateEntry[];
  readonly size: number;
}

export async function readOwnState(queries: Queries, no: number): Promise<OwnState> {
  const rows = await queries
    .selectFrom('adorn_session_state')
    .select(['key', 'value'])
    .where('session_no', '=', no)
    .modifyEnd(sql.raw(PREPARED))
    .execute();
  return ownStateOf(rows, no);
}

/** @throws {StorageRowDamagedError} */
export function ownStateOf(rows: readonly StateRow[], no: number): OwnState {
  const owner = `session_no ${String(no)}`;
  return {
    entries: rows.map((row) => entryOf(row, 'adorn_session_state', owner)),
    size: rows.reduce((size, { key, value }) => size + key.length + value.length, 0),
  };
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
  if (!head) return undefined;
  const shared = await readSharedStates(queries, key);
  const own = await readOwnState(queries, head.no);
  const events = await readEvents(queries, head.no, options);
  const session: Session = {
    appName: key.appName,
    userId: key.userId,
    id: key.sessionId,
    title: titleFrom(head.title),
    state: stateFrom([...shared, ...own.entries]),
    events: Object.freeze(events.map(({ event }) => event)),
    nextSeq: head.next_seq,
    lastUpdateTime: head.updated_at,
    lastRun: runFrom(head),
  };
  return Object.freeze(withIncarnation(session, head.no));
}
