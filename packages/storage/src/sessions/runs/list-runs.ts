import type { ListedRun, RunQuery } from '@adorn/core/backend';
import { sql } from 'kysely';

import type { Queries } from '../../database/database.js';
import { nameFrom, storedName } from '../../database/stored-name.js';
import { RUN_COLUMNS, type RunColumns, runFrom } from './run-row.js';

/** How many runs are read at once. */
const PAGE = 500;

/** A run, and the place of its row. */
interface FoundRun extends RunColumns {
  readonly session_no: number;
  readonly app: string;
  readonly user_id: string;
  readonly session_id: string;
}

/**
 * The oldest first, in pages. For runs that are open or paused, an index is read that has no others; for runs that
 * ended, all runs are.
 */
export async function listRuns(
  read: <Result>(work: (queries: Queries) => Promise<Result>) => Promise<Result>,
  { limit = Infinity, ...query }: RunQuery,
): Promise<ListedRun[]> {
  const found: ListedRun[] = [];
  for (let after: FoundRun | undefined; found.length < limit;) {
    const size = Math.min(PAGE, limit - found.length);
    const rows = await read((queries) => readPage(queries, query, size, after));
    found.push(...rows.map(listedRun));
    after = rows.at(-1);
    if (rows.length < size) break;
  }
  return found;
}

async function readPage(
  queries: Queries,
  { appName, status, touchedBefore, touchedSince }: Omit<RunQuery, 'limit'>,
  size: number,
  after: FoundRun | undefined,
): Promise<readonly FoundRun[]> {
  let page = queries
    .selectFrom('adorn_runs as run')
    // The cross join has SQLite begin with the index of runs.
    .crossJoin('adorn_sessions as session')
    .leftJoin('adorn_events as last', (join) =>
      join
        .onRef('last.session_no', '=', 'session.no')
        .on((eb) => eb('last.seq', '=', eb('session.next_seq', '-', 1))),
    )
    .whereRef('session.no', '=', 'run.session_no')
    // Literals: SQLite does not compare a parameter with the condition of an index.
    .where('run.status', '=', sql.lit(status));
  if (status !== 'ended') page = page.where('run.status', '<>', sql.lit('ended' as const));
  if (appName !== undefined) page = page.where('session.app', '=', storedName(appName));
  if (touchedBefore !== undefined) {
    page = page
      .where('run.opened_at', '<', touchedBefore)
      .where((eb) => eb.or([eb('last.timestamp', 'is', null), eb('last.timestamp', '<', touchedBefore)]));
  }
  if (touchedSince !== undefined) {
    page = page.where((eb) =>
      eb.or([eb('run.opened_at', '>=', touchedSince), eb('last.timestamp', '>=', touchedSince)]),
    );
  }
  if (after !== undefined) {
    const { run_opened_at, session_no, run_id } = after;
    page = page.where((eb) =>
      eb(
        eb.refTuple('run.opened_at', 'run.session_no', 'run.id'),
        '>',
        eb.tuple(run_opened_at, session_no, run_id),
      ),
    );
  }
  return page
    .select(RUN_COLUMNS)
    .select(['run.session_no', 'session.app', 'session.user_id', 'session.id as session_id'])
    .orderBy('run.opened_at')
    .orderBy('run.session_no')
    .orderBy('run.id')
    .limit(size)
    .execute();
}

function listedRun(row: FoundRun): ListedRun {
  return {
    appName: nameFrom(row.app),
    userId: nameFrom(row.user_id),
    sessionId: nameFrom(row.session_id),
    run: runFrom(row),
  };
}
