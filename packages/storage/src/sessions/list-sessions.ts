import type { Event, FoundSession, LastEventQuery, Page, SessionKey, SessionSummary } from '@adorn/core';

import type { Queries } from '../database/database.js';
import { nameFrom, storedName } from '../database/stored-name.js';
import { eventOf } from './event-body.js';
import { readSharedRows } from './read-session.js';
import { titleFrom } from './session-head.js';
import { type StateEntry, stateFrom, type StateRow } from './state-write.js';

type Owner = Omit<SessionKey, 'sessionId'>;

/** SQLite wants a limit before an offset. */
const ALL = Number.MAX_SAFE_INTEGER;

/**
 * A user's sessions without their events, the latest first. Keys of a state whose rows are damaged are left out, so that
 * one of them does not hide all sessions: `getSession` names the row.
 */
export async function listSessions(
  queries: Queries,
  owner: Owner,
  { limit = ALL, offset = 0 }: Page,
): Promise<SessionSummary[]> {
  const page = queries
    .selectFrom('adorn_sessions')
    .where('app', '=', storedName(owner.appName))
    .where('user_id', '=', storedName(owner.userId))
    .orderBy('updated_at', 'desc')
    .orderBy('no', 'desc')
    .limit(limit)
    .offset(offset);
  const rows = await page.select(['no', 'id', 'title', 'next_seq', 'updated_at']).execute();
  if (rows.length === 0) return [];
  const owned = await queries
    .selectFrom('adorn_session_state')
    .select(['session_no', 'key', 'value'])
    .where('session_no', 'in', page.select('no'))
    .execute();
  const states = new Map<number, StateEntry[]>(rows.map(({ no }) => [no, []]));
  for (const row of owned) states.get(row.session_no)?.push(...readableEntry(row));
  const shared = (await readSharedRows(queries, owner)).flatMap(readableEntry);
  return rows.map(({ no, id, title, next_seq, updated_at }) => ({
    appName: owner.appName,
    userId: owner.userId,
    id: nameFrom(id),
    title: titleFrom(title),
    state: stateFrom([...shared, ...(states.get(no) ?? [])]),
    nextSeq: next_seq,
    lastUpdateTime: updated_at,
  }));
}

function readableEntry({ key, value }: StateRow): StateEntry[] {
  try {
    return [[nameFrom(key), JSON.parse(value)]];
  } catch {
    return [];
  }
}

/** How many last events are read at once. */
const PAGE = 500;

/**
 * The sessions whose last event matches, oldest first. Reads the last event of each session of the application that
 * changed within the time; a session whose last event is damaged is left out.
 */
export async function listByLastEvent(
  queries: Queries,
  appName: string,
  { before, since = 0, matches }: LastEventQuery,
): Promise<FoundSession[]> {
  const found: FoundSession[] = [];
  for (let after = 0; ;) {
    const rows = await queries
      .selectFrom('adorn_sessions as session')
      .innerJoin('adorn_events as event', (join) =>
        join
          .onRef('event.session_no', '=', 'session.no')
          .on((eb) => eb('event.seq', '=', eb('session.next_seq', '-', 1))),
      )
      .where('session.app', '=', storedName(appName))
      .where('session.no', '>', after)
      // A state that was written later only moves this on.
      .where('session.updated_at', '>=', since)
      .where('event.timestamp', '>=', since)
      .where('event.timestamp', '<', before)
      .orderBy('session.no')
      .limit(PAGE)
      .select(['session.no', 'session.user_id', 'session.id', 'event.seq', 'event.body'])
      .execute();
    for (const row of rows) {
      const lastEvent = readableEvent(row);
      if (lastEvent === undefined || !matches(lastEvent)) continue;
      found.push({ appName, userId: nameFrom(row.user_id), sessionId: nameFrom(row.id), lastEvent });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) break;
    after = last.no;
  }
  return found.sort((a, b) => a.lastEvent.timestamp - b.lastEvent.timestamp);
}

function readableEvent({ no, seq, body }: Row): Event | undefined {
  try {
    return eventOf(body, no, seq);
  } catch {
    return undefined;
  }
}

interface Row {
  readonly no: number;
  readonly seq: number;
  readonly body: string;
}
