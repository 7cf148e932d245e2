import { Database } from '@adorn/storage';
import { sql } from 'kysely';

import { type BenchPlace, followToEnd, openMachine, USER } from './bench-machine.js';
import { Workers } from './workers.js';

/** What a worker and its store hold while so many sessions wait for a person. */
export interface PausedFigures {
  readonly sessions: number;
  /** Timers of their requests, in the inbox and in the queue. */
  readonly timers: number;
  readonly workerMb: number;
  readonly connections: number;
  /** Rows of the inbox, of leases and of the queue. */
  readonly rows: number;
  /** Milliseconds of a run beside them, at the median. */
  readonly runMs: number;
  /** Megabytes of the sessions in the store. */
  readonly storeMb: number;
}

/**
 * A session is brought to its pause by a real run, and its rows are copied. The figures before and after, and an answer to one
 * of the copies, whose run has to end.
 */
export async function measurePaused(place: BenchPlace, sessions: number): Promise<PausedFigures[]> {
  const fleet = await openMachine(place);
  const workers = await Workers.start(place, 1);
  await workers.begin();
  const run = async (sessionId: string, message: string): Promise<number> => {
    const begun = performance.now();
    const { invocationId } = await fleet.submit({ userId: USER, sessionId, message });
    await followToEnd(fleet, { userId: USER, sessionId, invocationId });
    return performance.now() - begun;
  };
  const figures = async (count: number, timers = 0): Promise<PausedFigures> => {
    const times: number[] = [];
    const name = `beside${String(count)}_${String(timers)}`;
    for (let no = 0; no < RUNS; no++) times.push(await run(`${name}_${String(no)}`, 'Hi.'));
    const [usage] = await workers.usages();
    const counts = await countsOf(fleet.runner.get(Database), place);
    const runMs = times.toSorted((left, right) => left - right)[RUNS / 2] ?? 0;
    return { sessions: count, timers, workerMb: usage?.rssMb ?? 0, runMs, ...counts };
  };
  await run('template', 'ask');
  const before = await figures(1);
  // Its statements take longer than those of a run may.
  const database = new Database(place.url, { timeout: 300_000 });
  await copyTemplate(database, sessions);
  await settle(database);
  const after = await figures(sessions);
  const [template] = await fleet.runner.pending({ userId: USER, sessionId: 'template' });
  if (!template) throw new Error('The template asks nothing.');
  await fleet.rejectWhenExpired({ ...template, expiresAt: Date.now() / 1000 + 3600 });
  await copyTimer(database, sessions - 1);
  const atOnce = await figures(sessions, sessions);
  await settle(database);
  const withTimers = await figures(sessions, sessions + 1);
  const answered = { userId: USER, sessionId: `copy${String(sessions)}` };
  const [request] = await fleet.runner.pending(answered);
  if (!request) throw new Error('A copied session asks nothing.');
  const { invocationId } = await fleet.submit({ ...answered, approve: request });
  const last = await followToEnd(fleet, { ...answered, invocationId });
  if (last !== 'It is on its way.') throw new Error(`The answer to a copied session ended with "${last}".`);
  await workers.stop();
  await database.close();
  await fleet.close();
  await fleet.runner.close();
  return [before, after, atOnce, withTimers];
}

/** What the server does by itself within minutes, so that it is not measured. */
async function settle(database: Database): Promise<void> {
  for (const work of [sql`vacuum analyze`, sql`checkpoint`])
    await database.run((queries) => work.execute(queries));
}

const RUNS = 40;

async function countsOf(
  database: Database,
  { engine }: BenchPlace,
): Promise<{ connections: number; rows: number; storeMb: number }> {
  const jobs =
    engine === 'pg-boss' ? sql`(select count(*) from adorn_queue.job where state < 'completed')` : sql`0`;
  const found = await database.run((queries) =>
    sql<{ connections: string; rows: string; mb: string }>`select
      (select count(*) from pg_stat_activity where datname = current_database()) as connections,
      (select count(*) from adorn_inbox) + (select count(*) from adorn_leases) + ${jobs} as rows,
      (pg_total_relation_size('adorn_events') + pg_total_relation_size('adorn_sessions')
        + pg_total_relation_size('adorn_runs') + pg_total_relation_size('adorn_requests')) / 1048576.0 as mb`.execute(
      queries,
    ),
  );
  const [row] = found.rows;
  return { connections: Number(row?.connections), rows: Number(row?.rows), storeMb: Number(row?.mb) };
}

/** Copies the timer of the session `template`, in the inbox and in pg-boss. */
async function copyTimer(database: Database, count: number): Promise<void> {
  await database.run((queries) =>
    sql`insert into adorn_inbox (app, user_id, session_id, invocation, body, timer, accepted_at, due_at)
      select app, user_id, 'copy' || copy, invocation, body, timer, accepted_at, due_at
      from adorn_inbox, generate_series(1, ${count}) as copy where timer = 1`.execute(queries),
  );
  await database.run((queries) =>
    sql`insert into adorn_queue.job (name, data, start_after, keep_until, retry_limit, retry_delay, policy)
      select name, data, start_after, keep_until, retry_limit, retry_delay, policy
      from adorn_queue.job, generate_series(1, ${count}) where name = 'adorn_timers'`.execute(queries),
  );
}

/** Copies all rows of the session `template`, table by table. */
async function copyTemplate(database: Database, count: number): Promise<void> {
  await database.transaction(async (queries) => {
    const { rows } = await sql<{ no: string }>`select no from adorn_sessions where id = 'template'`.execute(
      queries,
    );
    const template = Number(rows[0]?.no);
    const base = sql<string>`select ${template} + copy * 1000000::bigint as no, copy from generate_series(1, ${count}) as copy`;
    const copies = {
      adorn_sessions: 'no',
      adorn_events: 'session_no',
      adorn_runs: 'session_no',
      adorn_requests: 'session_no',
    };
    for (const [table, key] of Object.entries(copies)) {
      const columns = await sql<{ name: string; always: string }>`select column_name as name from
        information_schema.columns where table_name = ${table} and table_schema = current_schema()
        order by ordinal_position`.execute(queries);
      const names = columns.rows.map(({ name }) => name);
      const values = names.map((name) => {
        if (name === key) return sql`copies.no`;
        return table === 'adorn_sessions' && name === 'id'
          ? sql`'copy' || copies.copy`
          : sql`row.${sql.ref(name)}`;
      });
      await sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))}) overriding system value
        select ${sql.join(values)} from ${sql.table(table)} as row, (${base}) as copies
        where row.${sql.ref(key)} = ${template}`.execute(queries);
    }
  });
}
