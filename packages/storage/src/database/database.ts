import { Kysely } from 'kysely';

import { migrate } from '../migrations/migrate.js';
import { type DatabaseAddress, readDatabaseUrl } from './database-url.js';
import { openPostgres, type PostgresPoolOptions } from './postgres/open-postgres.js';
import { libsqlDriver, type SqliteConnection, type SqliteDriver } from './sqlite/sqlite-driver.js';
import { openSqlite } from './sqlite/sqlite-flavour.js';
import { isInTheWay, storageFault } from './storage-fault.js';
import type { Tables } from './tables.js';

export interface DatabaseOptions extends PostgresPoolOptions {
  /** The library that opens SQLite. Default: libsql. */
  readonly sqliteDriver?: SqliteDriver;
}

/** What statements are made with, in a transaction or outside of one. */
export type Queries = Kysely<Tables>;

interface Opened {
  readonly queries: Queries;
  /** SQLite's own, for what only it has. */
  readonly connection?: SqliteConnection;
}

/** One database that all services share: opened and migrated when it is first used, tried again where that failed. */
export class Database {
  readonly flavour: DatabaseAddress['flavour'];
  /** Its file, or its host and name, for people to read: without a password. */
  readonly place: string;
  private readonly address: DatabaseAddress;
  private opening: Promise<Opened> | undefined;

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
   * @throws {StorageUnavailableError | NotADatabaseError | StorageNewerError}
   */
  async open(): Promise<void> {
    await this.run(() => Promise.resolve());
  }

  /**
   * Does work outside a transaction: each statement is one of its own.
   *
   * @throws {StorageUnavailableError | StorageFullError | NotADatabaseError | StorageNewerError}
   */
  async run<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    try {
      const { queries } = await this.opened();
      return await work(queries);
    } catch (error) {
      throw storageFault(error, this.place);
    }
  }

  /** Does work that is written whole or not at all. Two that wait for each other are done one after the other. */
  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.run((queries) => untilNotInTheWay(() => queries.transaction().execute(work)));
  }

  /** Does work of one statement, which is a transaction of its own. */
  statement<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.run((queries) => untilNotInTheWay(() => work(queries)));
  }

  /** SQLite's own connection; undefined on PostgreSQL. */
  async connection(): Promise<SqliteConnection | undefined> {
    return (await this.opened()).connection;
  }

  async close(): Promise<void> {
    const opened = await this.opening?.catch(() => undefined);
    this.opening = undefined;
    await opened?.queries.destroy();
  }

  private opened(): Promise<Opened> {
    this.opening ??= this.openNow().catch((error: unknown) => {
      this.opening = undefined;
      throw error;
    });
    return this.opening;
  }

  private async openNow(): Promise<Opened> {
    const opened = await this.connect();
    try {
      await migrate(opened.queries, this);
      return opened;
    } catch (error) {
      await opened.queries.destroy();
      throw error;
    }
  }

  private async connect(): Promise<Opened> {
    const { address, options } = this;
    if (address.flavour === 'postgres') {
      return { queries: new Kysely({ dialect: await openPostgres(address.url, options) }) };
    }
    const { connection, dialect } = await openSqlite(options.sqliteDriver ?? libsqlDriver, address.path);
    return { queries: new Kysely({ dialect }), connection };
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
