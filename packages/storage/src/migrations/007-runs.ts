import { Event } from '@adorn/core';
import { runOfLog, type EventFields, type RunRecord } from '@adorn/core/backend';
import { sql } from 'kysely';

import type { Queries } from '../database/database.js';
import { rowsPerStatement } from '../database/tables.js';
import { runRow } from '../sessions/runs/run-row.js';
import type { Migration } from './migration.js';

/**
 * The runs of sessions, and the last one of each session. In a database of an earlier version, the last run is found by
 * the end of the log.
 */
export const runs: Migration = {
  name: '007-runs',
  async up(queries, dialect) {
    const table = queries.schema
      .createTable('adorn_runs')
      .addColumn('session_no', 'bigint', (column) =>
        column.notNull().references('adorn_sessions.no').onDelete('cascade'),
      )
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('continues', 'text')
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('epoch', 'integer', (column) => column.notNull())
      .addColumn('opened_at', 'double precision', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('adorn_runs_id', ['session_no', 'id']);
    await (dialect === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table).execute();
    // Most runs have ended: the index has the few others, in the order in which they are listed.
    await sql`
      create index adorn_runs_unfinished on adorn_runs (status, opened_at, session_no, id)
      where status <> 'ended'`.execute(queries);
    await sql`alter table adorn_sessions add column run_epoch integer not null default 0`.execute(queries);
    await sql`alter table adorn_sessions add column last_run text`.execute(queries);
    await sql`alter table adorn_sessions drop column epochs`.execute(queries);
    await recordLastRuns(queries);
  },
};

/** How many sessions are read at once. */
const PAGE = 100;

async function recordLastRuns(queries: Queries): Promise<void> {
  for (let after = 0; ;) {
    const ends = await queries
      .selectFrom('adorn_sessions as session')
      .innerJoin('adorn_events as last', (join) =>
        join
          .onRef('last.session_no', '=', 'session.no')
          .on((eb) => eb('last.seq', '=', eb('session.next_seq', '-', 1))),
      )
      .where('session.no', '>', after)
      .orderBy('session.no')
      .limit(PAGE)
      .select(['session.no', 'last.seq', 'last.body'])
      .execute();
    const rows = [];
    for (const end of ends) {
      const run = runOfEvent(end.body) ?? (await runBefore(queries, end));
      if (run) rows.push(runRow(end.no, run));
    }
    for (const portion of rowsPerStatement(rows))
      await queries.insertInto('adorn_runs').values(portion).execute();
    const last = ends.at(-1);
    if (!last || ends.length < PAGE) break;
    after = last.no;
  }
  await sql`
    update adorn_sessions set run_epoch = 1,
      last_run = (select id from adorn_runs where session_no = adorn_sessions.no)
    where no in (select session_no from adorn_runs)`.execute(queries);
}

/** The last event of a log may be a summary: the run is then found by the events before it. */
async function runBefore(
  queries: Queries,
  { no, seq }: { readonly no: number; readonly seq: number },
): Promise<RunRecord | undefined> {
  for (let before = seq - 1; before >= 0; before--) {
    const event = await queries
      .selectFrom('adorn_events')
      .select('body')
      .where('session_no', '=', no)
      .where('seq', '=', before)
      .executeTakeFirst();
    const run = event && runOfEvent(event.body);
    if (run) return run;
  }
  return undefined;
}

/** Undefined if the event is no step of a run, or its row is damaged. */
function runOfEvent(body: string): RunRecord | undefined {
  try {
    return runOfLog([new Event(JSON.parse(body) as EventFields)]);
  } catch {
    return undefined;
  }
}
