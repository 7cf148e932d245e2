import { ANY, BOOLEAN, checkOptions, FUNCTION, kindOf, type OptionRules } from '@adorn/core/backend';
import { Kysely } from 'kysely';

import {
  StorageClosedError,
  StorageOptionInvalidError,
  StorageOutdatedError,
  StorageUrlInvalidError,
} from '../errors/errors.js';
import { dueMigrations, migrate } from '../migrations/migrate.js';
import type { Lane } from './postgres/connection-queue.js';
import { openPostgres, type PostgresPoolOptions } from './postgres/open-postgres.js';
import type { PreparedStatements } from './sqlite/prepared-statements.js';
import { type OpenedSqlite, openSqlite } from './sqlite/sqlite-dialect.js';
import { libsqlDriver, type SqliteConnection, type SqliteDriver } from './sqlite/sqlite-driver.js';
import { isNameRefused, isSerializationFailure, storageFault } from './storage-fault.js';
import type { Tables } from './tables.js';

export interface DatabaseOptions extends PostgresPoolOptions {
  /** The library that opens SQLite. Default: libsql. */
  readonly sqliteDriver?: SqliteDriver;
  /**
   * How long a call waits for the lock of another process (SQLite), or a statement that has a connection for its answer
   * (PostgreSQL), in milliseconds. Default: 10,000.
   */
  readonly timeout?: number;
  /** Run pending migrations when the database is opened. Default: true. */
  readonly migrate?: boolean;
  /** Called before each migration, with the name of it and of all that are due. Default: nothing is told. */
  readonly onMigration?: (name: string, due: readonly string[]) => void;
}

/** The numbers are checked where their limits are known. */
export const DATABASE_OPTIONS: OptionRules<DatabaseOptions> = {
  sqliteDriver: FUNCTION,
  timeout: ANY,
  migrate: BOOLEAN,
  onMigration: FUNCTION,
  poolSize: ANY,
  maxWaitingRuns: ANY,
};

/** Runs statements, in a transaction or outside of one. */
export type Queries = Kysely<Tables>;

interface Opened {
  /** On SQLite, all lanes are one. */
  readonly queries: Readonly<Record<Lane, Queries>>;
  /** The SQLite connection, for features that only SQLite has. */
  readonly sqlite?: OpenedSqlite;
}

interface Ready extends Opened {
  /** The migrations that were done when it was opened. */
  readonly migrated: readonly string[];
}

/** A longer timer of Node.js fires at once. */
const LONGEST_TIMER = 2_147_483_647;

/** As many as PostgreSQL can be configured to take. */
const MOST_CONNECTIONS = 262_143;

/** One database that all services share: opened and migrated at first use, retried after a failure. */
export class Database {
  readonly dialect: DatabaseAddress['dialect'];
  /** Its file, or its host and name, for people to read: without a password. */
  readonly place: string;
  private readonly address: DatabaseAddress;
  private opening: Promise<Ready> | undefined;
  private closing: Promise<void> | undefined;
  /** How many calls have not ended yet. */
  private underWay = 0;
  private onIdle: (() => void) | undefined;

  /** @throws {StorageUrlInvalidError | StorageOptionInvalidError} */
  constructor(
    url: string,
    private readonly options: DatabaseOptions = {},
  ) {
    checkOptions('new Database', options, DATABASE_OPTIONS);
    this.address = readDatabaseUrl(url);
    this.dialect = this.address.dialect;
    // SQLite's lock may be tried once; an answer of a server takes time.
    const least = this.dialect === 'sqlite' ? 0 : 1;
    checkNumber('timeout', options.timeout, { least, most: LONGEST_TIMER });
    checkNumber('poolSize', options.poolSize, { least: 1, most: MOST_CONNECTIONS });
    checkNumber('maxWaitingRuns', options.maxWaitingRuns, { least: 0, most: Number.MAX_SAFE_INTEGER });
    this.place = placeOf(this.address);
  }

  /**
   * Opens the database now rather than when it is first used.
   *
   * @returns the names of the migrations that were done; none where it was up to date
   * @throws {StorageUnavailableError | NotADatabaseError | StorageNewerError | StorageOutdatedError}
   */
  open(): Promise<readonly string[]> {
    return this.withOpened(({ migrated }) => migrated);
  }

  /**
   * Does work outside a transaction: each statement is one of its own.
   *
   * @param lane the precedence of the work where it waits for a connection
   * @throws {ServerBusyError} if too many wait in the lane
   * @throws {StorageUnavailableError | StorageFullError | NotADatabaseError | StorageNewerError}
   */
  run<Result>(work: (queries: Queries) => Promise<Result>, lane: Lane = 'running'): Promise<Result> {
    return this.withOpened(({ queries }) => work(queries[lane]));
  }

  /** Does work that is written whole or not at all. Two that wait for each other are done one after the other. */
  transaction<Result>(work: (queries: Queries) => Promise<Result>, lane?: Lane): Promise<Result> {
    return this.run((queries) => retryOnConflict(() => queries.transaction().execute(work)), lane);
  }

  /**
   * Reads by several statements what was in the database at one moment: no write of others comes in between. Nothing can
   * be written, and nobody waits for it.
   */
  snapshot<Result>(read: (queries: Queries) => Promise<Result>, lane?: Lane): Promise<Result> {
    return this.run((queries) => {
      const reading = queries.transaction().setAccessMode('read only');
      if (this.dialect === 'sqlite') return reading.execute(read);
      return retryOnConflict(() => reading.setIsolationLevel('repeatable read').execute(read));
    }, lane);
  }

  /** Runs one statement, which is its own transaction. */
  statement<Result>(work: (queries: Queries) => Promise<Result>, lane?: Lane): Promise<Result> {
    return this.run((queries) => retryOnConflict(() => work(queries)), lane);
  }

  /**
   * Writes to SQLite by synchronous work: without waiting if the connection is free, else in the work's turn.
   *
   * @param options.isOne whether the work is one statement, which needs no transaction
   * @param options.isLasting false if the work may be lost with the power until the next write: it does not wait for the disk
   */
  atOnce<Result>(
    work: (statements: PreparedStatements) => Result,
    { isOne, isLasting = true }: { readonly isOne: boolean; readonly isLasting?: boolean },
  ): Promise<Result> {
    return this.withOpened(async ({ queries, sqlite }) => {
      if (!sqlite) throw new Error(`${this.place} is not a SQLite database.`);
      const { statements, dialect } = sqlite;
      const write = (): Result => (isOne ? work(statements) : statements.transaction(() => work(statements)));
      const done = dialect.tryAtOnce(() => (isLasting ? write() : statements.withoutSync(write)));
      const { result } = (done instanceof Promise ? await done : done) ?? {
        result: await queries.running.transaction().execute(() => Promise.resolve(work(statements))),
      };
      return result;
    });
  }

  /** SQLite's own connection; undefined on PostgreSQL. */
  connection(): Promise<SqliteConnection | undefined> {
    return this.withOpened(({ sqlite }) => sqlite?.connection);
  }

  /**
   * Waits for the calls under way, and closes the database for good. Later calls are refused.
   *
   * SQLite's log is moved into its file: a copy of the file alone is whole.
   */
  close(): Promise<void> {
    this.closing ??= this.closeNow();
    return this.closing;
  }

  private async closeNow(): Promise<void> {
    if (this.underWay > 0) await new Promise<void>((resolve) => (this.onIdle = resolve));
    const opened = await this.opening?.catch(() => undefined);
    await opened?.queries.running.destroy();
  }

  /** Converts errors of the driver to `AdornError`s that name the database. */
  private async withOpened<Result>(work: (opened: Ready) => Result | Promise<Result>): Promise<Result> {
    if (this.closing) throw new StorageClosedError(this.place);
    this.underWay++;
    try {
      return await work(await this.opened());
    } catch (error) {
      throw storageFault(error, this.place);
    } finally {
      this.underWay--;
      if (this.underWay === 0) this.onIdle?.();
    }
  }

  private opened(): Promise<Ready> {
    this.opening ??= this.openNow().catch((error: unknown) => {
      this.opening = undefined;
      throw error;
    });
    return this.opening;
  }

  private async openNow(): Promise<Ready> {
    const opened = await this.connect();
    try {
      return { ...opened, migrated: await this.bringUpToDate(opened.queries.running) };
    } catch (error) {
      await opened.queries.running.destroy();
      throw error;
    }
  }

  private async bringUpToDate(queries: Queries): Promise<readonly string[]> {
    const due = await dueMigrations(queries, this);
    if (due.length === 0) return [];
    if (this.options.migrate === false) throw new StorageOutdatedError(this.place, due);
    const { address, options } = this;
    if (address.dialect === 'sqlite') return migrate(queries, this, options.onMigration);
    // On connections of their own: migrations wait for those of another process, and may take long.
    const { running: dialect } = await openPostgres(address.url, { ...options, timeout: MIGRATION_TIMEOUT });
    const migrating: Queries = new Kysely({ dialect });
    try {
      return await migrate(migrating, this, options.onMigration);
    } finally {
      await migrating.destroy();
    }
  }

  private async connect(): Promise<Opened> {
    const { address, options } = this;
    if (address.dialect === 'postgres') {
      const { running, beginning, entering } = await openPostgres(address.url, options);
      const queries = {
        running: new Kysely<Tables>({ dialect: running }),
        beginning: new Kysely<Tables>({ dialect: beginning }),
        entering: new Kysely<Tables>({ dialect: entering }),
      };
      return { queries };
    }
    const sqlite = await openSqlite(options.sqliteDriver ?? libsqlDriver, address.path, options);
    const all = new Kysely<Tables>({ dialect: sqlite.dialect });
    return { queries: { running: all, beginning: all, entering: all }, sqlite };
  }
}

/** In milliseconds. */
const MIGRATION_TIMEOUT = 600_000;

const TRIES = 5;

/** Retries work that the database aborted because of a conflict; nothing of it was written. */
async function retryOnConflict<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const isAborted = isSerializationFailure(error) || isNameRefused(error);
      if (tries === TRIES || !isAborted) throw error;
    }
  }
}

function placeOf(address: DatabaseAddress): string {
  if (address.dialect === 'sqlite') return address.path;
  if (!URL.canParse(address.url)) return 'PostgreSQL';
  const { host, pathname } = new URL(address.url);
  return `${host}${pathname}`;
}

/** @throws {StorageOptionInvalidError} */
export function checkNumber(
  option: string,
  value: number | undefined,
  range: { readonly least: number; readonly most: number },
): void {
  const isFit = Number.isInteger(value) && Number(value) >= range.least && Number(value) <= range.most;
  if (value !== undefined && !isFit) throw new StorageOptionInvalidError(option, value, range);
}

/** Where a database is, as its URL says. */
type DatabaseAddress =
  | { readonly dialect: 'sqlite'; readonly path: string }
  | { readonly dialect: 'postgres'; readonly url: string };

const SCHEME = /^([a-z][a-z\d+.-]+):/i;

/**
 * `postgres://…` and `postgresql://…` are a PostgreSQL server; `file:app.db`, a path and `:memory:` are SQLite.
 *
 * @throws {StorageUrlInvalidError}
 */
function readDatabaseUrl(url: unknown): DatabaseAddress {
  if (typeof url !== 'string')
    throw new StorageUrlInvalidError(url === undefined ? 'undefined' : kindOf(url));
  if (url === '') throw new StorageUrlInvalidError('an empty string');
  if (url === ':memory:') return { dialect: 'sqlite', path: url };
  const scheme = SCHEME.exec(url)?.[1]?.toLowerCase();
  switch (scheme) {
    case undefined:
      return { dialect: 'sqlite', path: url };
    case 'file':
      return { dialect: 'sqlite', path: pathOf(url) };
    case 'postgres':
    case 'postgresql':
      return { dialect: 'postgres', url };
    default:
      throw new StorageUrlInvalidError(`the scheme "${scheme}:"`);
  }
}

/** `file:app.db` is relative, `file:///var/app.db` is not. */
function pathOf(url: string): string {
  const path = decodeURIComponent(url.slice('file:'.length).replace(/^\/\/(localhost)?(?=\/)/, ''));
  if (path === '' || path === '//') throw new StorageUrlInvalidError('a file URL without a path');
  return path;
}
