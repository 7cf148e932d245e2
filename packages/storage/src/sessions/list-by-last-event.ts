import type { Event, FoundSession, LastEventQuery } from '@adorn/core';

import type { Queries } from '../database/database.js';
import { nameFrom, storedName } from '../database/stored-name.js';
import { eventOf } from './event-body.js';

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
      const lastEvent = readable(row);
      if (lastEvent === undefined || !matches(lastEvent)) continue;
      found.push({ appName, userId: nameFrom(row.user_id), sessionId: nameFrom(row.id), lastEvent });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) break;
    after = last.no;
  }
  return found.sort((a, b) => a.lastEvent.timestamp - b.lastEvent.timestamp);
}

function readable({ no, seq, body }: Row): Event | undefined {
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
