import type { SessionKey } from '@adorn/core';
import type { ListSessionsOptions, SessionSummary } from '@adorn/core/backend';

import type { Queries } from '../database/database.js';
import { nameFrom, storedName } from '../database/stored-name.js';
import { rowsPerStatement } from '../database/tables.js';
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
  { limit = ALL, offset = 0, after, state = true }: ListSessionsOptions,
): Promise<SessionSummary[]> {
  const app = storedName(owner.appName);
  const userId = storedName(owner.userId);
  let page = queries
    .selectFrom('adorn_sessions as session')
    .where('session.app', '=', app)
    .where('session.user_id', '=', userId);
  if (after) {
    const place = queries
      .selectFrom('adorn_sessions')
      .select('no')
      .where('app', '=', app)
      .where('user_id', '=', userId)
      .where('id', '=', storedName(after.id));
    page = page.where((eb) =>
      eb(
        eb.refTuple('session.updated_at', 'session.no'),
        '<',
        // A session that was deleted since has no place among those of its time.
        eb.tuple(eb.val(after.lastUpdateTime), eb.fn.coalesce(place, eb.lit(ALL))),
      ),
    );
  }
  const rows = await page
    .orderBy('session.updated_at', 'desc')
    .orderBy('session.no', 'desc')
    .limit(limit)
    .offset(offset)
    .leftJoin('adorn_runs as run', (join) =>
      join.onRef('run.session_no', '=', 'session.no').onRef('run.id', '=', 'session.last_run'),
    )
    .select(['session.no', 'session.id', 'session.title', 'session.next_seq', 'session.updated_at'])
    .select(RUN_COLUMNS)
    .execute();
  const numbers = rows.map(({ no }) => no);
  const states = state && rows.length > 0 ? await readStates(queries, owner, numbers) : undefined;
  return rows.map(({ no, id, title, next_seq, updated_at, ...run }) => ({
    appName: owner.appName,
    userId: owner.userId,
    id: nameFrom(id),
    title: titleFrom(title),
    state: states?.get(no) ?? stateFrom([]),
    nextSeq: next_seq,
    lastUpdateTime: updated_at,
    lastRun: runFrom(run),
  }));
}

/** The states of sessions of one user, by their numbers. */
async function readStates(
  queries: Queries,
  owner: Owner,
  numbers: readonly number[],
): Promise<Map<number, SessionSummary['state']>> {
  const owned = new Map<number, StateEntry[]>(numbers.map((no) => [no, []]));
  for (const portion of rowsPerStatement(numbers)) {
    const rows = await queries
      .selectFrom('adorn_session_state')
      .select(['session_no', 'key', 'value'])
      .where('session_no', 'in', portion)
      .execute();
    for (const row of rows) owned.get(row.session_no)?.push(...readableEntry(row));
  }
  const shared = (await readSharedRows(queries, owner)).flatMap(readableEntry);
  return new Map(Array.from(owned, ([no, entries]) => [no, stateFrom([...shared, ...entries])]));
}

function readableEntry({ key, value }: StateRow): StateEntry[] {
  try {
    return [[nameFrom(key), JSON.parse(value)]];
  } catch {
    return [];
  }
}
