import type { SessionKey } from '@adorn/core';
import type { Database, Queries } from '@adorn/storage';
import { sql } from 'kysely';

import { FleetBusyError, InvocationAcceptedError } from './errors.js';
import type { InvocationAddress } from './invocation-queue.js';
import { storeNow } from './store-clock.js';

/** An accepted invocation that has not ended. */
export interface InboxEntry extends InvocationAddress {
  /** What it is to do, as JSON. */
  readonly body: string;
  /** The number of times that a worker has begun it. */
  readonly attempts: number;
  readonly isCancelled: boolean;
  /** True if too many attempts have failed: it and those behind it wait for `release`. */
  readonly isParked: boolean;
  /** What the last attempt threw. */
  readonly error: string | undefined;
  /** In milliseconds since 1970, by the clock of the store. */
  readonly acceptedAt: number;
  /** Milliseconds before it may begin; 0 or less if it may. */
  readonly dueIn: number;
}

/** How much is in the inbox of an application. */
export interface InboxCounts {
  /** Due, and not ended. Those that run are among them. */
  readonly waiting: number;
  /** Not due yet: delayed submissions, and requests that expire. */
  readonly scheduled: number;
  readonly parked: number;
  /** The age of the oldest that is due, in milliseconds. */
  readonly oldestMs: number;
}

/** How much may wait before a submission is refused. */
export interface InboxLimits {
  /** Invocations of the application. */
  readonly maxWaiting: number;
  readonly maxWaitingPerUser: number;
}

/** How an invocation is accepted. */
export interface AcceptOptions {
  /** Milliseconds before it may begin. Default: 0. */
  readonly delay?: number;
  /** Default: none. */
  readonly limits?: InboxLimits;
  /** True for what nobody has submitted: it counts against no limit, and what was submitted goes before it. Default: false. */
  readonly isTimer?: boolean;
}

const UNLIMITED: InboxLimits = { maxWaiting: Infinity, maxWaitingPerUser: Infinity };

/** The longest wait that a refused caller is told, in seconds. */
const LONGEST_RETRY = 60;

/** The key of the advisory lock under which the table is made. */
const LOCK = 4_129_889_218;

/**
 * The accepted invocations of all sessions, oldest first: a table beside the sessions, so that what was accepted is kept as
 * safely as they are. An entry is deleted when its run has ended or waits for a person.
 */
export class Inbox {
  constructor(private readonly database: Database) {}

  /** Makes the table, and that of the leases. */
  async open(): Promise<void> {
    const isPostgres = this.database.dialect === 'postgres';
    const no = sql.raw(
      isPostgres ? 'bigint generated always as identity primary key' : 'integer primary key autoincrement',
    );
    await this.database.transaction(async (queries) => {
      if (isPostgres) await sql`select pg_advisory_xact_lock(${LOCK})`.execute(queries);
      await sql`create table if not exists adorn_inbox (
        no ${no}, app text not null, user_id text not null, session_id text not null, invocation text not null,
        body text not null, attempts integer not null default 0, cancelled integer not null default 0,
        parked integer not null default 0, timer integer not null default 0, error text, accepted_at bigint not null, due_at bigint not null,
        unique (app, user_id, session_id, invocation))`.execute(queries);
      await sql`create index if not exists adorn_inbox_due on adorn_inbox (app, parked, due_at)`.execute(
        queries,
      );
      await sql`create table if not exists adorn_leases (
        session text primary key, worker text not null, app text not null, user_id text not null,
        session_id text not null, expires_at bigint not null)`.execute(queries);
    });
  }

  /**
   * Stores an invocation. When this returns, it is accepted. The same submission may be repeated.
   *
   * @throws {InvocationAcceptedError} if the id was accepted with another body
   * @throws {FleetBusyError} if as much waits as the limits allow
   */
  async accept(
    address: InvocationAddress,
    body: string,
    { delay = 0, limits = UNLIMITED, isTimer = false }: AcceptOptions = {},
  ): Promise<void> {
    const { appName, userId, sessionId, invocationId } = address;
    const now = storeNow(this.database);
    await this.database.transaction(async (queries) => {
      const added = await sql`insert into adorn_inbox
        (app, user_id, session_id, invocation, body, timer, accepted_at, due_at)
        values (${appName}, ${userId}, ${sessionId}, ${invocationId}, ${body}, ${isTimer ? 1 : 0}, ${now},
          ${now} + ${Math.ceil(delay)})
        on conflict do nothing returning no`.execute(queries);
      if (added.rows.length > 0) return this.refuseAbove(limits, address, queries);
      const kept = await sql<{ body: string }>`select body from adorn_inbox
        where ${ofInvocation(address)}`.execute(queries);
      // It may have ended since: then it has run, as it was accepted.
      // A timer that is set again stays as it was set first, perhaps by a worker of another version.
      if (!isTimer && kept.rows.some((row) => row.body !== body))
        throw new InvocationAcceptedError(invocationId);
    });
  }

  /** The oldest entry of a session that is due; timers last. */
  async first(key: SessionKey): Promise<InboxEntry | undefined> {
    const [first] = await this.read(
      sql`where ${ofSession(key)} and due_at <= ${storeNow(this.database)} order by timer, no limit 1`,
    );
    return first;
  }

  /** All entries of a session, oldest first. */
  ofSession(key: SessionKey): Promise<InboxEntry[]> {
    return this.read(sql`where ${ofSession(key)} order by no`);
  }

  async find(address: InvocationAddress): Promise<InboxEntry | undefined> {
    const [found] = await this.read(sql`where ${ofInvocation(address)}`);
    return found;
  }

  /** The entries of an application that are not parked, those first that are due first: 1,000 at most. */
  waiting(appName: string): Promise<InboxEntry[]> {
    return this.read(sql`where app = ${appName} and parked = 0 order by due_at, no limit 1000`);
  }

  /** The oldest entries that have been due for some time, in sessions that no worker has. */
  overdue(appName: string, sinceMs: number, limit: number, more: Statement = sql``): Promise<InboxEntry[]> {
    const now = storeNow(this.database);
    return this.read(sql`as entry where app = ${appName} and parked = 0 and due_at <= ${now} - ${sinceMs}
      ${more} and not exists (select 1 from adorn_inbox as earlier where earlier.app = entry.app
        and earlier.user_id = entry.user_id and earlier.session_id = entry.session_id
        and earlier.no < entry.no and earlier.due_at <= ${now})
      and not exists (select 1 from adorn_leases as lease where lease.app = entry.app
        and lease.user_id = entry.user_id and lease.session_id = entry.session_id)
      order by due_at limit ${limit}`);
  }

  /** The oldest due entry of a user in a session that no worker has. */
  async nextOfUser({
    appName,
    userId,
  }: Pick<SessionKey, 'appName' | 'userId'>): Promise<InboxEntry | undefined> {
    const [next] = await this.overdue(appName, 0, 1, sql`and user_id = ${userId}`);
    return next;
  }

  /** Seconds since 1970 by the clock of the database. */
  async now(): Promise<number> {
    const { rows } = await this.database.statement((queries) =>
      sql<{ now: number | string }>`select ${storeNow(this.database)} as now`.execute(queries),
    );
    return Number(rows[0]?.now) / 1_000;
  }

  async counts(appName: string): Promise<InboxCounts> {
    const now = storeNow(this.database);
    const found = await this.database.run((queries) =>
      sql<Record<keyof CountsRow, number | string | null>>`select
        sum(case when parked = 0 and due_at <= ${now} then 1 else 0 end) as waiting,
        sum(case when parked = 0 and due_at > ${now} then 1 else 0 end) as scheduled,
        sum(parked) as parked, ${now} - min(case when parked = 0 then due_at end) as oldest
        from adorn_inbox where app = ${appName}`.execute(queries),
    );
    const { waiting, scheduled, parked, oldest } = found.rows[0] ?? NO_COUNTS;
    return {
      waiting: Number(waiting),
      scheduled: Number(scheduled),
      parked: Number(parked),
      oldestMs: Math.max(0, Number(oldest)),
    };
  }

  parked(appName: string): Promise<InboxEntry[]> {
    return this.read(sql`where app = ${appName} and parked = 1 order by no`);
  }

  /** Counts an attempt. */
  async begin(address: InvocationAddress): Promise<void> {
    await this.write(sql`update adorn_inbox set attempts = attempts + 1 where ${ofInvocation(address)}`);
  }

  /** Keeps what an attempt threw, and parks the entry. */
  async fail(address: InvocationAddress, error: string, isParked: boolean): Promise<void> {
    const parked = isParked ? 1 : 0;
    await this.write(
      sql`update adorn_inbox set error = ${error}, parked = ${parked} where ${ofInvocation(address)}`,
    );
  }

  async release(address: InvocationAddress): Promise<void> {
    await this.write(sql`update adorn_inbox set parked = 0, attempts = 0 where ${ofInvocation(address)}`);
  }

  async cancel(address: InvocationAddress): Promise<void> {
    await this.write(sql`update adorn_inbox set cancelled = 1 where ${ofInvocation(address)}`);
  }

  /** @param more ids of other invocations of the session to remove */
  async remove(address: InvocationAddress, more: readonly string[] = []): Promise<void> {
    const ids = sql.join([address.invocationId, ...more]);
    await this.write(sql`delete from adorn_inbox where ${ofSession(address)} and invocation in (${ids})`);
  }

  /** Erases all entries of a user, also those that are parked, and timers. @returns how many there were */
  async eraseUser({ appName, userId }: Pick<SessionKey, 'appName' | 'userId'>): Promise<number> {
    const { rows } = await this.database.statement((queries) =>
      sql`delete from adorn_inbox where app = ${appName} and user_id = ${userId} returning no`.execute(
        queries,
      ),
    );
    return rows.length;
  }

  /** In the transaction of what was added, which is undone by the error. */
  private async refuseAbove(
    { maxWaiting, maxWaitingPerUser }: InboxLimits,
    { appName, userId }: InvocationAddress,
    queries: Queries,
  ): Promise<void> {
    const limits = [
      ['maxWaitingPerUser', maxWaitingPerUser, sql`app = ${appName} and user_id = ${userId}`],
      ['maxWaiting', maxWaiting, sql`app = ${appName}`],
    ] as const;
    for (const [option, limit, of] of limits) {
      if (limit === Infinity) continue;
      const { rows } = await sql<{ count: string; age: string | null }>`select count(*) as count,
        ${storeNow(this.database)} - min(accepted_at) as age
        from (select accepted_at from adorn_inbox where ${of} and parked = 0 and timer = 0 order by no limit ${limit + 1}) as waiting`.execute(
        queries,
      );
      const waiting = Number(rows[0]?.count) - 1;
      const retryAfter = Math.min(LONGEST_RETRY, Math.max(1, Math.ceil(Number(rows[0]?.age) / 1000)));
      if (waiting >= limit) throw new FleetBusyError(waiting, option, retryAfter);
    }
  }

  private async write(statement: Statement): Promise<void> {
    await this.database.statement((queries) => statement.execute(queries));
  }

  private async read(where: Statement): Promise<InboxEntry[]> {
    const found = await this.database.run((queries: Queries) =>
      sql<InboxRow>`select *, due_at - ${storeNow(this.database)} as due_in from adorn_inbox ${where}`.execute(
        queries,
      ),
    );
    return found.rows.map(entryOf);
  }
}

type Statement = ReturnType<typeof sql>;

interface CountsRow {
  readonly waiting: unknown;
  readonly scheduled: unknown;
  readonly parked: unknown;
  readonly oldest: unknown;
}

const NO_COUNTS = { waiting: 0, scheduled: 0, parked: 0, oldest: null };

interface InboxRow {
  readonly app: string;
  readonly user_id: string;
  readonly session_id: string;
  readonly invocation: string;
  readonly body: string;
  readonly attempts: number;
  readonly cancelled: number;
  readonly parked: number;
  readonly error: string | null;
  readonly accepted_at: number | string;
  readonly due_in: number | string;
}

function ofSession({ appName, userId, sessionId }: SessionKey): Statement {
  return sql`app = ${appName} and user_id = ${userId} and session_id = ${sessionId}`;
}

function ofInvocation(address: InvocationAddress): Statement {
  return sql`${ofSession(address)} and invocation = ${address.invocationId}`;
}

function entryOf(row: InboxRow): InboxEntry {
  return {
    appName: row.app,
    userId: row.user_id,
    sessionId: row.session_id,
    invocationId: row.invocation,
    body: row.body,
    attempts: row.attempts,
    isCancelled: row.cancelled === 1,
    isParked: row.parked === 1,
    error: row.error ?? undefined,
    acceptedAt: Number(row.accepted_at),
    dueIn: Number(row.due_in),
  };
}
