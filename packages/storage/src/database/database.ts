import { Kysely } from 'kysely';

import { migrate, requireMigrated } from '../migrations/migrate.js';
import { type DatabaseAddress, readDatabaseUrl } from './database-url.js';
import { openPostgres, type PostgresPoolOptions } from './postgres/open-postgres.js';
import { libsqlDriver, type SqliteConnection, type SqliteDriver } from './sqlite/sqlite-driver.js';
import type { PreparedStatements } from './sqlite/prepared-statements.js';
import { isBusy, type OpenedSqlite, openSqlite } from './sqlite/sqlite-flavour.js';
import { isInTheWay, storageFault } from './storage-fault.js';
import type { Tables } from './tables.js';

export interface DatabaseOptions extends PostgresPoolOptions {
  /** The library that opens SQLite. Default: libsql. */
  readonly sqliteDriver?: SqliteDriver;
  /** Whether the tables are made, and brought up to date, when the database is opened. Default: true. */
  readonly migrate?: boolean;
}

/** What statements are made with, in a transaction or outside of one. */
export type Queries = Kysely<Tables>;

interface Opened {
  readonly queries: Queries;
  /** SQLite's own, for what only it has. */
  readonly sqlite?: OpenedSqlite;
}

interface Ready extends Opened {
  /** The migrations that were done when it was opened. */
  readonly migrated: readonly string[];
}

/** One database that all services share: opened and migrated when it is first used, tried again where that failed. */
export class Database {
  readonly flavour: DatabaseAddress['flavour'];
  /** Its file, or its host and name, for people to read: without a password. */
  readonly place: string;
  private readonly address: DatabaseAddress;
  private opening: Promise<Ready> | undefined;

  /** @throws {StorageUrlInvalidError} */
  constructor(
    url: string,
    private readonly options: DatabaseOptions = {},
  ) {
    this.address = readDatabaseUrl(url);
    this.flavour = this.address.flavour;
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
   * @throws {StorageUnavailableError | StorageFullError | NotADatabaseError | StorageNewerError}
   */
  run<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.withOpened(({ queries }) => work(queries));
  }

  /** Does work that is written whole or not at all. Two that wait for each other are done one after the other. */
  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.run((queries) => untilNotInTheWay(() => queries.transaction().execute(work)));
  }

  /** Does work of one statement, which is a transaction of its own. */
  statement<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.run((queries) => untilNotInTheWay(() => work(queries)));
  }

  /**
   * Does work on SQLite's connection while nobody else does, and without waiting in between.
   *
   * @returns undefined where another process is writing
   */
  atOnce<Result>(work: (statements: PreparedStatements) => Result): Promise<Result | undefined> {
    return this.withOpened(async ({ queries, sqlite }) => {
      if (sqlite === undefined) return undefined;
      const { statements, dialect } = sqlite;
      try {
        if (dialect.isFree) return work(statements);
        return await queries.connection().execute(() => Promise.resolve(work(statements)));
      } catch (error) {
        if (isBusy(error)) return undefined;
        throw error;
      }
    });
  }

  /** SQLite's own connection; undefined on PostgreSQL. */
  async connection(): Promise<SqliteConnection | undefined> {
    return (await this.opened()).sqlite?.connection;
  }

  async close(): Promise<void> {
    const opened = await this.opening?.catch(() => undefined);
    this.opening = undefined;
    await opened?.queries.destroy();
  }

  /** What goes wrong bears a name of ours, and the database's. */
  private async withOpened<Result>(work: (opened: Ready) => Result | Promise<Result>): Promise<Result> {
    try {
      return await work(await this.opened());
    } catch (error) {
      throw storageFault(error, this.place);
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
      return { ...opened, migrated: await this.bringUpToDate(opened.queries) };
    } catch (error) {
      await opened.queries.destroy();
      throw error;
    }
  }

  private async bringUpToDate(queries: Queries): Promise<readonly string[]> {
    if (this.options.migrate ?? true) return migrate(queries, this);
    await requireMigrated(queries, this);
    return [];
  }

  private async connect(): Promise<Opened> {
    const { address, options } = this;
    if (address.flavour === 'postgres') {
      return { queries: new Kysely({ dialect: await openPostgres(address.url, options) }) };
    }
    const sqlite = await openSqlite(options.sqliteDriver ?? libsqlDriver, address.path);
    return { queries: new Kysely({ dialect: sqlite.dialect }), sqlite };
  }
}

const TRIES = 5;

/** Tries work anew that the database gave up because another was in its way; nothing of it was written. */
async function untilNotInTheWay<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === TRIES || !isInTheWay(error)) throw error;
    }
  }
}

function placeOf(address: DatabaseAddress): string {
  if (address.flavour === 'sqlite') return address.path;
  if (!URL.canParse(address.url)) return 'PostgreSQL';
  const { host, pathname } = new URL(address.url);
  return `${host}${pathname}`;
}
