import { randomUUID } from 'node:crypto';

import type { SessionKey } from '@adorn/core';
import { composedKey } from '@adorn/core/backend';
import type { Database, Queries } from '@adorn/storage';
import { sql } from 'kysely';

import { digestOf } from './digest.js';
import { storeNow } from './store-clock.js';

/** The right of one worker to work on a session, until it is released or its worker misses its heartbeats. */
export interface Lease {
  /** False if another worker may have the session. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * Which worker works on which session: a table beside the inbox. A worker extends its leases with each heartbeat. The
 * clock is that of the database, so clocks of the machines do not matter.
 */
export class Leases {
  /** The id of this process in the table. */
  readonly worker = randomUUID();
  private readonly held = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  /** @param lifetime milliseconds without a heartbeat after which others may take a lease */
  constructor(
    private readonly database: Database,
    private readonly lifetime: number,
  ) {}

  /** Starts the heartbeat. Workers of one process share it. */
  start(): void {
    this.timer ??= setInterval(() => void this.extend().catch(noop), this.lifetime / 4);
  }

  /** Stops the heartbeat, and gives what is still held to other workers. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.execute(sql`update adorn_leases set expires_at = 0 where worker = ${this.worker}`).catch(noop);
  }

  /**
   * Undefined if another worker, or another task of this one, has the session, or if workers have as many sessions of its
   * user as they may.
   *
   * @param maxPerUser sessions of one user at a time, over all workers
   */
  async acquire(key: SessionKey, maxPerUser = Infinity): Promise<Lease | undefined> {
    const session = digestOf(key);
    if (this.held.has(session)) return undefined;
    this.held.add(session);
    try {
      const taken = await this.take(session, key, maxPerUser);
      if (taken) return { isHeld: () => this.isHeld(session), release: () => this.release(session) };
    } catch (error) {
      this.held.delete(session);
      throw error;
    }
    this.held.delete(session);
    return undefined;
  }

  private async take(session: string, key: SessionKey, maxPerUser: number): Promise<boolean> {
    const { database, lifetime, worker } = this;
    const { appName, userId, sessionId } = key;
    const now = this.now();
    const isLimited = maxPerUser !== Infinity;
    const isFree = isLimited
      ? sql`(select count(*) from adorn_leases where app = ${appName} and user_id = ${userId}
          and session <> ${session} and expires_at >= ${now}) < ${maxPerUser}`
      : sql`true`;
    const work = async (queries: Queries): Promise<boolean> => {
      if (isLimited && database.dialect === 'postgres')
        await sql`select pg_advisory_xact_lock(hashtextextended(${composedKey(appName, userId)}, 0))`.execute(
          queries,
        );
      const { rows } = await sql`insert into adorn_leases as kept
        (session, worker, app, user_id, session_id, expires_at)
        select ${session}, ${worker}, ${appName}, ${userId}, ${sessionId}, ${now} + ${lifetime} where ${isFree}
        on conflict (session) do update set worker = excluded.worker, expires_at = excluded.expires_at
        where kept.expires_at < ${now} returning worker`.execute(queries);
      return rows.length > 0;
    };
    return isLimited ? database.transaction(work) : database.statement(work);
  }

  /** Sessions whose workers have died, stand still, or have handed them back. */
  async expired(appName: string): Promise<SessionKey[]> {
    const found = await this.database.run((queries) =>
      sql<LeaseRow>`select user_id, session_id from adorn_leases
        where app = ${appName} and expires_at < ${this.now()} limit 100`.execute(queries),
    );
    return found.rows.map(({ user_id: userId, session_id: sessionId }) => ({ appName, userId, sessionId }));
  }

  private async isHeld(session: string): Promise<boolean> {
    const { lifetime, worker } = this;
    const extended = await this.execute(sql`update adorn_leases set expires_at = ${this.now()} + ${lifetime}
      where session = ${session} and worker = ${worker} and expires_at > 0 returning session`);
    return extended > 0;
  }

  private async release(session: string): Promise<void> {
    const { worker } = this;
    await this.execute(sql`delete from adorn_leases where session = ${session} and worker = ${worker}`).catch(
      noop,
    );
    this.held.delete(session);
  }

  private async extend(): Promise<void> {
    if (this.held.size === 0) return;
    await this.execute(sql`update adorn_leases set expires_at = ${this.now()} + ${this.lifetime}
      where worker = ${this.worker} and expires_at > 0`);
  }

  /** @returns the number of rows that the statement returned */
  private async execute(statement: ReturnType<typeof sql>): Promise<number> {
    const { rows } = await this.database.statement((queries) => statement.execute(queries));
    return rows.length;
  }

  private now(): ReturnType<typeof sql> {
    return storeNow(this.database);
  }
}

interface LeaseRow {
  readonly user_id: string;
  readonly session_id: string;
}

function noop(): void {
  // An unreachable database: the lease expires.
}
