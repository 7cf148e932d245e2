import type { SessionKey } from '@adorn/core';
import type { HeldRun, RenewedHold, RunHold } from '@adorn/core/backend';
import { sql } from 'kysely';

import type { Database, Queries } from '../../database/database.js';
import { nameFrom, storedName } from '../../database/stored-name.js';

type Dialect = Database['dialect'];

/** The time by the clock of the database, in seconds since 1970: the clocks of several machines are never compared. */
export const DATABASE_NOW: Readonly<Record<Dialect, string>> = {
  sqlite: `((julianday('now') - 2440587.5) * 86400.0)`,
  postgres: `extract(epoch from clock_timestamp())::double precision`,
};

/** A run that a process holds, with the number of its session's row. */
export interface HeldRow {
  readonly no: number;
  /** As it is stored. */
  readonly id: string;
  readonly epoch: number;
}

/** The columns of a hold in a query that joins `adorn_runs as run`. Ages are in seconds. */
export interface HoldColumns {
  readonly silent_for: number | null;
  readonly read_before: number | null;
  readonly is_released: number;
  readonly is_cancel_requested: number;
}

/** Selects {@link HoldColumns}. */
export function holdColumns(dialect: Dialect) {
  const now = sql.raw(DATABASE_NOW[dialect]);
  return [
    sql<number | null>`${now} - run.held_at`.as('silent_for'),
    sql<number | null>`${now} - run.read_at`.as('read_before'),
    sql<number>`run.is_released`.as('is_released'),
    sql<number>`run.is_cancel_requested`.as('is_cancel_requested'),
  ] as const;
}

export function holdFrom(
  row: HoldColumns & { readonly run_id: string; readonly run_epoch: number },
): RunHold {
  return {
    id: nameFrom(row.run_id),
    epoch: row.run_epoch,
    silentFor: millisecondsOf(row.silent_for),
    isReleased: row.is_released === 1,
    isCancelRequested: row.is_cancel_requested === 1,
    readBefore: millisecondsOf(row.read_before),
  };
}

function millisecondsOf(seconds: number | null): number | undefined {
  return seconds === null ? undefined : Math.max(0, seconds * 1000);
}

/** The hold of the open run of a session. */
export async function findHold(
  queries: Queries,
  dialect: Dialect,
  { appName, userId, sessionId }: SessionKey,
): Promise<RunHold | undefined> {
  const row = await queries
    .selectFrom('adorn_sessions as session')
    .innerJoin('adorn_runs as run', (join) =>
      join.onRef('run.session_no', '=', 'session.no').onRef('run.id', '=', 'session.last_run'),
    )
    .select(['run.id as run_id', 'run.epoch as run_epoch'])
    .select(holdColumns(dialect))
    .where('session.app', '=', storedName(appName))
    .where('session.user_id', '=', storedName(userId))
    .where('session.id', '=', storedName(sessionId))
    .where('run.status', '=', 'open')
    .executeTakeFirst();
  return row && holdFrom(row);
}

/** Renews the holds of runs in one write. Returns what has become of each, in their order. */
export async function renewHolds(database: Database, runs: readonly HeldRow[]): Promise<RenewedHold[]> {
  const rows =
    database.dialect === 'sqlite'
      ? await renewInSqlite(database, runs)
      : await renewInPostgres(database, runs);
  const found = new Map(rows.map((row) => [row.no, row]));
  return runs.map(({ no, epoch }) => {
    const row = found.get(no);
    if (row?.run_epoch !== epoch) return 'lost';
    return row.is_cancel_requested === 1 ? 'cancelled' : 'held';
  });
}

interface RenewedRow {
  readonly no: number;
  /** The epoch of the session. */
  readonly run_epoch: number;
  readonly is_cancel_requested: number | null;
}

/** A renewal that the loss of power undoes is missed by nobody: the process is gone, too. */
function renewInSqlite(database: Database, runs: readonly HeldRow[]): Promise<RenewedRow[]> {
  return database.atOnce(
    (statements) =>
      runs.flatMap(({ no, id, epoch }) => {
        statements.prepare(RENEW).run([no, id, epoch]);
        return statements.prepare(FIND_RENEWED).all([id, no]) as RenewedRow[];
      }),
    { isOne: false, isLasting: false },
  );
}

const RENEW = `
  update adorn_runs set held_at = ${DATABASE_NOW.sqlite} where session_no = ? and id = ? and epoch = ? and status = 'open'`;

const FIND_RENEWED = `
  select session.no, session.run_epoch, run.is_cancel_requested
  from adorn_sessions as session left join adorn_runs as run on run.session_no = session.no and run.id = ?
  where session.no = ?`;

/** A row that an append has locked is left out: the append waits for no renewal, and the next renewal comes soon. */
async function renewInPostgres(database: Database, runs: readonly HeldRow[]): Promise<RenewedRow[]> {
  const { rows } = await database.statement((queries) =>
    sql<RenewedRow>`
      with held as (
        select * from unnest(${runs.map(({ no }) => no)}::bigint[], ${runs.map(({ id }) => id)}::text[],
          ${runs.map(({ epoch }) => epoch)}::integer[]) as held (session_no, id, epoch)),
      free as (
        select run.session_no, run.id from adorn_runs as run
          join held on held.session_no = run.session_no and held.id = run.id and held.epoch = run.epoch
        where run.status = 'open' for no key update of run skip locked),
      renewed as (
        update adorn_runs as run set held_at = ${sql.raw(DATABASE_NOW.postgres)} from free
        where run.session_no = free.session_no and run.id = free.id)
      select session.no, session.run_epoch, run.is_cancel_requested
      from held join adorn_sessions as session on session.no = held.session_no
        left join adorn_runs as run on run.session_no = held.session_no and run.id = held.id`.execute(
      queries,
    ),
  );
  return rows;
}

/** A change to the hold of an open run. */
export type HoldChange = 'release' | 'cancel' | 'read';

/** Changes the hold of an open run. False if the run is not open under this epoch. */
export async function changeHold(
  database: Database,
  { appName, userId, sessionId, id, epoch }: HeldRun,
  change: HoldChange,
): Promise<boolean> {
  const changes = {
    release: 'held_at = null, is_released = 1',
    cancel: 'is_cancel_requested = 1',
    read: `read_at = ${DATABASE_NOW[database.dialect]}`,
  } as const;
  const { rows } = await database.run((queries) =>
    sql<{ readonly id: string }>`
      update adorn_runs set ${sql.raw(changes[change])}
      where id = ${storedName(id)} and epoch = ${epoch} and status = 'open' and session_no = (
        select no from adorn_sessions where app = ${storedName(appName)} and user_id = ${storedName(userId)}
          and id = ${storedName(sessionId)})
      returning id`.execute(queries),
  );
  return rows.length > 0;
}
