import { randomUUID } from 'node:crypto';

import { ContainerModule } from '@adorn/core';
import { type HeldPlace, SharedPlaces } from '@adorn/core/backend';
import { Database, type Queries } from '@adorn/storage';
import { sql } from 'kysely';

import { digestOfNames } from './digest.js';
import { storeNow } from './store-clock.js';

/** Milliseconds without a heartbeat after which the places of a process are free. */
const LIFETIME_MS = 15_000;

/** Expired places of keys that nobody asks for any more are deleted at each so many takes. */
const TAKES_PER_SWEEP = 200;

/** The key of the advisory lock under which the table is made. */
const LOCK = 4_129_889_219;

/**
 * Lets a `rateLimit` and a `concurrency` of a tool hold for all machines that share a database, not for each of them:
 * `createRunner(Root, { modules: [sqlStorage(url), sharedLimits()] })`. Each call of such a tool is then counted by one
 * transaction; tools without limits cost nothing.
 */
export function sharedLimits(): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(SharedPlaces)
      .toDynamicValue(async (context) => {
        const places = new StorePlaces(await context.getAsync(Database));
        await places.open();
        return places;
      })
      .inSingletonScope()
      .onDeactivation((places) => {
        (places as StorePlaces).stop();
      });
  });
}

/** Places as rows of a table beside the sessions, by the clock of the database. */
class StorePlaces extends SharedPlaces {
  private readonly held = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private takes = 0;

  constructor(private readonly database: Database) {
    super();
  }

  /** Makes the table. */
  async open(): Promise<void> {
    await this.database.transaction(async (queries) => {
      if (this.isPostgres) await sql`select pg_advisory_xact_lock(${LOCK})`.execute(queries);
      await sql`create table if not exists adorn_places (
        key text not null, id text not null, free_at bigint not null, primary key (id))`.execute(queries);
      await sql`create index if not exists adorn_places_free on adorn_places (free_at)`.execute(queries);
    });
  }

  stop(): void {
    clearInterval(this.timer);
  }

  async take(key: string, places: number, ms: number): Promise<number> {
    if (++this.takes % TAKES_PER_SWEEP === 0) await this.sweep();
    const { wait } = await this.takeRow(key, places, ms);
    return wait;
  }

  async hold(key: string, places: number): Promise<HeldPlace | undefined> {
    const { id, wait } = await this.takeRow(key, places, LIFETIME_MS);
    if (wait > 0) return undefined;
    this.held.add(id);
    this.timer ??= setInterval(() => void this.extend().catch(noop), LIFETIME_MS / 5).unref();
    return { release: () => this.release(id) };
  }

  private async takeRow(name: string, places: number, ms: number): Promise<{ id: string; wait: number }> {
    const key = digestOfNames(name);
    const id = randomUUID();
    const now = storeNow(this.database);
    const wait = await this.database.transaction(async (queries) => {
      if (this.isPostgres)
        await sql`select pg_advisory_xact_lock(hashtextextended(${key}, ${LOCK}))`.execute(queries);
      await sql`delete from adorn_places where key = ${key} and free_at <= ${now}`.execute(queries);
      const { rows } = await sql<Taken>`select count(*) as count, min(free_at) - ${now} as wait
        from adorn_places where key = ${key}`.execute(queries);
      const [taken] = rows;
      if (Number(taken?.count) >= places) return Math.max(1, Number(taken?.wait));
      await sql`insert into adorn_places (key, id, free_at) values (${key}, ${id}, ${now} + ${Math.ceil(ms)})`.execute(
        queries,
      );
      return 0;
    });
    return { id, wait };
  }

  private async release(id: string): Promise<void> {
    this.held.delete(id);
    if (this.held.size === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
    }
    await this.execute((queries) => sql`delete from adorn_places where id = ${id}`.execute(queries)).catch(
      noop,
    );
  }

  private async extend(): Promise<void> {
    const ids = sql.join([...this.held]);
    const until = sql`${storeNow(this.database)} + ${LIFETIME_MS}`;
    await this.execute((queries) =>
      sql`update adorn_places set free_at = ${until} where id in (${ids})`.execute(queries),
    );
  }

  private async sweep(): Promise<void> {
    await this.execute((queries) =>
      sql`delete from adorn_places where free_at <= ${storeNow(this.database)}`.execute(queries),
    );
  }

  private async execute(work: (queries: Queries) => Promise<unknown>): Promise<void> {
    await this.database.statement(work);
  }

  private get isPostgres(): boolean {
    return this.database.dialect === 'postgres';
  }
}

interface Taken {
  readonly count: number | string;
  readonly wait: number | string | null;
}

function noop(): void {
  // An unreachable database: the place is free when its time is over.
}
