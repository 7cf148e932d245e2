import type { Page, SessionKey, SessionSummary } from '@adorn/core';

import type { Queries } from '../database/database.js';
import { nameFrom, storedName } from '../database/stored-name.js';
import { readSharedRows } from './read-session.js';
import { RUN_COLUMNS, runFrom } from './runs/run-row.js';
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
    .selectFrom('adorn_sessions as session')
    .where('session.app', '=', storedName(owner.appName))
    .where('session.user_id', '=', storedName(owner.userId))
    .orderBy('session.updated_at', 'desc')
    .orderBy('session.no', 'desc')
    .limit(limit)
    .offset(offset);
  const rows = await page
    .leftJoin('adorn_runs as run', (join) =>
      join.onRef('run.session_no', '=', 'session.no').onRef('run.id', '=', 'session.last_run'),
    )
    .select(['session.no', 'session.id', 'session.title', 'session.next_seq', 'session.updated_at'])
    .select(RUN_COLUMNS)
    .execute();
  if (rows.length === 0) return [];
  const owned = await queries
    .selectFrom('adorn_session_state')
    .select(['session_no', 'key', 'value'])
    .where('session_no', 'in', page.select('session.no'))
    .execute();
  const states = new Map<number, StateEntry[]>(rows.map(({ no }) => [no, []]));
  for (const row of owned) states.get(row.session_no)?.push(...readableEntry(row));
  const shared = (await readSharedRows(queries, owner)).flatMap(readableEntry);
  return rows.map(({ no, id, title, next_seq, updated_at, ...run }) => ({
    appName: owner.appName,
    userId: owner.userId,
    id: nameFrom(id),
    title: titleFrom(title),
    state: stateFrom([...shared, ...(states.get(no) ?? [])]),
    nextSeq: next_seq,
    lastUpdateTime: updated_at,
    lastRun: runFrom(run),
  }));
}

function readableEntry({ key, value }: StateRow): StateEntry[] {
  try {
    return [[nameFrom(key), JSON.parse(value)]];
  } catch {
    return [];
  }
}
