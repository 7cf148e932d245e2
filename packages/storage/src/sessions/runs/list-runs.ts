import { setImmediate as pause } from 'node:timers/promises';

import type { ListedRun, RunQuery, RunStatus } from '@adorn/core/backend';
import { type ExpressionBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely';

import type { Database, Queries } from '../../database/database.js';
import { nameFrom, storedName } from '../../database/stored-name.js';
import type { RunsTable, Tables } from '../../database/tables.js';
import { holdColumns, type HoldColumns, holdFrom } from './run-holds.js';
import { RUN_COLUMNS, type RunColumns, runFrom } from './run-row.js';

/**
 * How many runs are read at once, wanted or not: SQLite takes a millisecond, and PostgreSQL looks up the sessions of a
 * page instead of reading all sessions.
 */
const PAGE = 100;

/** How many runs of all applications are looked at for a page: about ten milliseconds of SQLite. */
const SCANNED = 2_000;

/** A run, the place of its row, and the time of the last event of its session. */
interface FoundRun extends RunColumns, HoldColumns {
  readonly session_no: number;
  readonly app: string;
  readonly user_id: string;
  readonly session_id: string;
  readonly last_event_at: number | null;
}

/** Where a page begins: behind this run. */
type RunPlace = Pick<FoundRun, 'run_opened_at' | 'session_no' | 'run_id'>;

/** Runs, and where the next page begins; undefined for the last one. */
interface RunPage {
  readonly rows: readonly FoundRun[];
  readonly next: RunPlace | undefined;
}

/**
 * The oldest first, in pages between which the process does other work. For runs that are open or paused, an index is
 * read that has no others, in its order. For runs that ended, all runs are read in the order of their keys, and sorted:
 * an index of them would cost every run.
 */
export async function listRuns({ dialect, read }: RunReader, query: RunQuery): Promise<ListedRun[]> {
  const { status, limit = Infinity } = query;
  const isInOrder = status !== 'ended';
  const readPage = isInOrder ? readUnfinished(dialect, { ...query, status }) : readEnded(dialect);
  const isWanted = wantedBy(query);
  const found: ListedRun[] = [];
  for (let after: RunPlace | undefined; ;) {
    const { rows, next } = await read((queries) => readPage(queries, after));
    for (const row of rows) if (isWanted(row)) found.push(listedRun(row));
    if (!next || (isInOrder && found.length >= limit)) break;
    after = next;
    await pause();
  }
  if (!isInOrder) found.sort((a, b) => a.run.openedAt - b.run.openedAt);
  return found.slice(0, limit);
}

/** The database of the runs. */
interface RunReader {
  readonly dialect: Database['dialect'];
  readonly read: <Result>(work: (queries: Queries) => Promise<Result>) => Promise<Result>;
}

/** True for runs of the status, the application and the time of a query. */
function wantedBy({ status, appName, touchedBefore = Infinity, touchedSince = -Infinity }: RunQuery) {
  const app = appName === undefined ? undefined : storedName(appName);
  return (row: FoundRun): boolean => {
    if (row.run_status !== status || (app !== undefined && row.app !== app)) return false;
    const touchedAt = Math.max(row.run_opened_at, row.last_event_at ?? 0);
    return touchedAt < touchedBefore && touchedAt >= touchedSince;
  };
}

/** Runs of other applications are left out by the database: there may be many that nobody recovers. */
function readUnfinished(
  dialect: Database['dialect'],
  { status, appName, touchedBefore = Infinity }: RunQuery & { readonly status: UnfinishedStatus },
) {
  const app = appName === undefined ? undefined : storedName(appName);
  return async (queries: Queries, after: RunPlace | undefined): Promise<RunPage> => {
    const runs = unfinishedRuns(queries, status, { after, openedBefore: touchedBefore });
    const last =
      app === undefined
        ? undefined
        : await runs
            .offset(SCANNED - 1)
            .limit(1)
            .executeTakeFirst();
    const end = last && { run_opened_at: last.opened_at, session_no: last.session_no, run_id: last.id };
    let page = runs.limit(PAGE);
    if (app !== undefined) page = page.where((eb) => isOfApp(eb, app));
    if (end) page = page.where((eb) => eb(placeOfRun(eb), '<=', tupleOf(eb, end)));
    const rows = await withSessions(queries, dialect, page)
      .orderBy('run.opened_at')
      .orderBy('run.session_no')
      .orderBy('run.id')
      .execute();
    return { rows, next: rows.length < PAGE ? end : rows.at(-1) };
  };
}

type UnfinishedStatus = Exclude<RunStatus, 'ended'>;

type RunExpressions = ExpressionBuilder<Tables, 'adorn_runs'>;

function unfinishedRuns(
  queries: Queries,
  status: UnfinishedStatus,
  { after, openedBefore }: { readonly after: RunPlace | undefined; readonly openedBefore: number },
) {
  let runs = queries
    .selectFrom('adorn_runs')
    .selectAll()
    // Literals: SQLite does not compare a parameter with the condition of an index.
    .where('status', '=', sql.lit(status))
    .where('status', '<>', sql.lit('ended' as const))
    .orderBy('opened_at')
    .orderBy('session_no')
    .orderBy('id');
  if (openedBefore !== Infinity) runs = runs.where('opened_at', '<', openedBefore);
  return after ? runs.where((eb) => eb(placeOfRun(eb), '>', tupleOf(eb, after))) : runs;
}

function isOfApp(eb: RunExpressions, app: string) {
  const owner = eb.selectFrom('adorn_sessions as owner').select('owner.no');
  return eb.exists(owner.whereRef('owner.no', '=', 'adorn_runs.session_no').where('owner.app', '=', app));
}

function placeOfRun(eb: RunExpressions) {
  return eb.refTuple('opened_at', 'session_no', 'id');
}

function tupleOf(eb: RunExpressions, { run_opened_at, session_no, run_id }: RunPlace) {
  return eb.tuple(run_opened_at, session_no, run_id);
}

function readEnded(dialect: Database['dialect']) {
  return async (queries: Queries, after: RunPlace | undefined): Promise<RunPage> => {
    let page = queries.selectFrom('adorn_runs').selectAll().orderBy('session_no').orderBy('id').limit(PAGE);
    if (after) {
      const { session_no, run_id } = after;
      page = page.where((eb) => eb(eb.refTuple('session_no', 'id'), '>', eb.tuple(session_no, run_id)));
    }
    const rows = await withSessions(queries, dialect, page)
      .orderBy('run.session_no')
      .orderBy('run.id')
      .execute();
    return { rows, next: rows.length < PAGE ? undefined : rows.at(-1) };
  };
}

/** A page of runs with their sessions, which are looked up only for its rows. */
function withSessions(
  queries: Queries,
  dialect: Database['dialect'],
  page: SelectQueryBuilder<Tables, 'adorn_runs', Selectable<RunsTable>>,
) {
  return queries
    .selectFrom(page.as('run'))
    .innerJoin('adorn_sessions as session', 'session.no', 'run.session_no')
    .leftJoin('adorn_events as last', (join) =>
      join
        .onRef('last.session_no', '=', 'session.no')
        .on((eb) => eb('last.seq', '=', eb('session.next_seq', '-', 1))),
    )
    .select(RUN_COLUMNS)
    .select(holdColumns(dialect))
    .select(['run.session_no', 'session.app', 'session.user_id', 'session.id as session_id'])
    .select('last.timestamp as last_event_at');
}

function listedRun(row: FoundRun): ListedRun {
  return {
    appName: nameFrom(row.app),
    userId: nameFrom(row.user_id),
    sessionId: nameFrom(row.session_id),
    run: runFrom(row),
    hold: row.run_status === 'open' ? holdFrom(row) : undefined,
  };
}
