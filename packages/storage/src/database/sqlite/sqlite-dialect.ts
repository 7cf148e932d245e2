import { setTimeout as sleep } from 'node:timers/promises';

import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SqliteDialect as KyselySqliteDialect,
  type TransactionSettings,
} from 'kysely';

import { isBusy } from '../storage-fault.js';
import { FairLock } from './fair-lock.js';
import { PreparedStatements } from './prepared-statements.js';
import type { SqliteConnection, SqliteDriver as OpenSqlite } from './sqlite-driver.js';

/** How long a call waits for the lock of another connection by default, in milliseconds. */
const TIMEOUT = 10_000;
/** How long SQLite itself may wait for it, which holds up the whole process. */
const BUSY_TIMEOUT = 5;
/** The pauses between two attempts grow from the first to the second, in milliseconds. */
const SHORTEST_PAUSE = 4;
const LONGEST_PAUSE = 25;

/** A committed write survives the loss of power; readers and the one writer do not wait for each other. */
const PRAGMAS = [
  `PRAGMA busy_timeout = ${String(BUSY_TIMEOUT)}`,
  'PRAGMA journal_mode = WAL',
  // The log grows while a reader holds an old state, and shrinks to this many bytes once the reader is gone.
  'PRAGMA journal_size_limit = 16777216',
  'PRAGMA synchronous = FULL',
  'PRAGMA foreign_keys = ON',
];

/**
 * SQLite for Kysely, on one connection. A transaction takes SQLite's write lock when it begins, unless it only reads. A
 * call that meets the lock of another connection lets the other calls of this process go on while it waits.
 */
export class SqliteDialect extends KyselySqliteDialect {
  private readonly driver: SqliteDriver;

  constructor(statements: PreparedStatements, timeout: number) {
    super({ database: statements });
    this.driver = new SqliteDriver(statements, timeout);
  }

  override createDriver(): Driver {
    return this.driver;
  }

  /**
   * Runs synchronous work, without waiting if the connection is free.
   *
   * @returns undefined if another connection holds the lock: nothing was written
   */
  tryAtOnce<Result>(work: () => Result): Attempt<Result> | Promise<Attempt<Result>> {
    return this.driver.tryAtOnce(work);
  }
}

type Attempt<Result> = { readonly result: Result } | undefined;

class SqliteDriver implements Driver {
  private readonly connection = new FairLock();
  /** Writers that met another connection's lock: the first polls it, the others wait behind the first. */
  private readonly blockedWriters = new FairLock();
  /** When this process last got the write lock. */
  private lastWrite = 0;
  /** The error of the last attempt to get the write lock; undefined if it succeeded. */
  private lockError: Error | undefined;

  constructor(
    private readonly statements: PreparedStatements,
    private readonly timeout: number,
  ) {}

  init(): Promise<void> {
    return Promise.resolve();
  }

  tryAtOnce<Result>(work: () => Result): Attempt<Result> | Promise<Attempt<Result>> {
    if (this.blockedWriters.isHeld) return undefined;
    return this.connection.isFree ? this.attempt(work) : this.attemptInTurn(work);
  }

  async acquireConnection(): Promise<HeldConnection> {
    const askedAt = performance.now();
    await this.connection.acquire();
    return new HeldConnection(this.statements, (attempt) => this.untilUnlocked(askedAt, attempt), askedAt);
  }

  releaseConnection(): Promise<void> {
    this.connection.release();
    return Promise.resolve();
  }

  async beginTransaction(held: HeldConnection, { accessMode }: TransactionSettings): Promise<void> {
    if (accessMode === 'read only') {
      await this.untilUnlocked(held.askedAt, () => {
        this.statements.beginReading();
      });
    } else {
      await this.beginWriting(held);
    }
    held.isInTransaction = true;
  }

  commitTransaction(held: HeldConnection): Promise<void> {
    this.statements.commit();
    held.isInTransaction = false;
    return Promise.resolve();
  }

  rollbackTransaction(held: HeldConnection): Promise<void> {
    held.isInTransaction = false;
    this.statements.rollback();
    return Promise.resolve();
  }

  /** Moves the log into the database's file, so that a copy of this file alone is whole. */
  async destroy(): Promise<void> {
    await this.connection.acquire();
    try {
      this.statements.checkpoint();
    } finally {
      this.statements.close();
      this.connection.release();
    }
  }

  private async attemptInTurn<Result>(work: () => Result): Promise<Attempt<Result>> {
    await this.connection.acquire();
    try {
      return this.attempt(work);
    } finally {
      this.connection.release();
    }
  }

  private attempt<Result>(work: () => Result): Attempt<Result> {
    try {
      const result = work();
      this.lastWrite = performance.now();
      return { result };
    } catch (error) {
      if (isBusy(error)) return undefined;
      throw error;
    }
  }

  private async beginWriting(held: HeldConnection): Promise<void> {
    if (!this.blockedWriters.isFree || !this.tryBegin()) {
      this.connection.release();
      await this.blockedWriters.acquire();
      await this.connection.acquire();
      try {
        await this.beginWhenUnlocked(held.askedAt);
      } finally {
        this.blockedWriters.release();
      }
    }
  }

  private tryBegin(): boolean {
    try {
      this.begin();
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
  }

  private async beginWhenUnlocked(askedAt: number): Promise<void> {
    // Those that waited behind a writer that gave up do not each try the lock again.
    if (this.lockError && this.isTooLate(askedAt)) throw this.lockError;
    await this.untilUnlocked(askedAt, () => {
      this.begin();
    });
  }

  private begin(): void {
    try {
      this.statements.begin();
      this.lastWrite = performance.now();
      this.lockError = undefined;
    } catch (error) {
      this.lockError = error as Error;
      throw error;
    }
  }

  /** Repeats an attempt until no other connection is in its way. The connection is held before and after, not between. */
  private async untilUnlocked<Result>(askedAt: number, attempt: () => Result): Promise<Result> {
    for (let pause = SHORTEST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      try {
        return attempt();
      } catch (error) {
        if (!isBusy(error) || this.isTooLate(askedAt)) throw error;
      }
      this.connection.release();
      await sleep(pause * (0.5 + Math.random()));
      await this.connection.acquire();
    }
  }

  /** The time counts from the request, or from the latest write: waiting for this process's own writers is free. */
  private isTooLate(askedAt: number): boolean {
    return performance.now() >= Math.max(askedAt, this.lastWrite) + this.timeout;
  }
}

/** The connection for one caller, from `acquireConnection` to `releaseConnection`. */
class HeldConnection implements DatabaseConnection {
  isInTransaction = false;

  constructor(
    private readonly statements: PreparedStatements,
    private readonly untilUnlocked: <Result>(attempt: () => Result) => Promise<Result>,
    readonly askedAt: number,
  ) {}

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.isInTransaction) return this.execute(query);
    return this.untilUnlocked(() => this.execute(query));
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery(query);
  }

  private execute<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    const statement = this.statements.prepare(sql);
    if (statement.reader) return { rows: statement.all(parameters) as Row[] };
    const { changes, lastInsertRowid } = statement.run(parameters);
    return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
  }
}

export interface OpenedSqlite {
  readonly connection: SqliteConnection;
  readonly statements: PreparedStatements;
  readonly dialect: SqliteDialect;
}

/** @param open the driver */
export async function openSqlite(
  open: OpenSqlite,
  path: string,
  { timeout = TIMEOUT }: { readonly timeout?: number },
): Promise<OpenedSqlite> {
  const connection = await open(path);
  const statements = new PreparedStatements(connection);
  try {
    await configure(statements, timeout);
  } catch (error) {
    statements.close();
    throw error;
  }
  return { connection, statements, dialect: new SqliteDialect(statements, timeout) };
}

/** A new file is locked for a moment while another process makes it a WAL database. */
async function configure(statements: PreparedStatements, timeout: number): Promise<void> {
  const deadline = performance.now() + timeout;
  for (const pragma of PRAGMAS) {
    for (;;) {
      try {
        statements.prepare(pragma).all([]);
        break;
      } catch (error) {
        if (!isBusy(error) || performance.now() >= deadline) throw error;
        await sleep(LONGEST_PAUSE * Math.random());
      }
    }
  }
}
