import type { SqliteDatabase, SqliteStatement as KyselyStatement } from 'kysely';

import { isBusy } from '../storage-fault.js';
import type { SqliteConnection, SqliteStatement } from './sqlite-driver.js';

const KEPT = 200;

/** A connection as Kysely asks for it: statements are prepared once, and parameters are checked before they are bound. */
export class PreparedStatements implements SqliteDatabase {
  private readonly kept = new Map<string, KyselyStatement>();

  constructor(private readonly connection: SqliteConnection) {}

  prepare(sql: string): KyselyStatement {
    const known = this.kept.get(sql);
    if (known) return known;
    const prepared = new CheckedStatement(this.connection, this.connection.prepare(sql));
    if (this.kept.size < KEPT) this.kept.set(sql, prepared);
    return prepared;
  }

  /**
   * Begins a transaction with the write lock. Not by a prepared statement: libsql would leave one open.
   *
   * @throws SQLITE_BUSY if another connection writes
   */
  begin(): void {
    this.connection.exec('begin immediate');
  }

  /** Begins a transaction that reads what is in the database now, and waits for no writer. */
  beginReading(): void {
    this.connection.exec('begin deferred');
    try {
      // The moment is that of the first read.
      this.prepare('select 1 from sqlite_master').all([]);
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  commit(): void {
    this.prepare('commit').run([]);
  }

  rollback(): void {
    try {
      this.prepare('rollback').run([]);
    } catch {
      // A transaction that met a full disk is over already.
    }
  }

  /** Does synchronous work in a transaction. */
  transaction<Result>(work: () => Result): Result {
    this.begin();
    try {
      const result = work();
      this.commit();
      return result;
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  /** Does a write that does not wait for the disk: the next one that does makes it last, too. */
  withoutSync<Result>(write: () => Result): Result {
    // Not by prepared statements: SQLite applies these when they are prepared.
    this.connection.exec('PRAGMA synchronous = NORMAL');
    try {
      return write();
    } finally {
      this.connection.exec('PRAGMA synchronous = FULL');
    }
  }

  /** Moves the log into the file as far as other connections allow. */
  checkpoint(): void {
    try {
      this.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all([]);
    } catch {
      // The log stays beside the file, whole, and the next connection reads it.
    }
  }

  close(): void {
    this.kept.clear();
    this.connection.close();
  }
}

class CheckedStatement implements KyselyStatement {
  readonly reader: boolean;

  constructor(
    private readonly connection: SqliteConnection,
    private readonly statement: SqliteStatement,
  ) {
    this.reader = statement.reader;
  }

  all(parameters: readonly unknown[]): unknown[] {
    const bound = boundParameters(parameters);
    try {
      return this.statement.all(bound);
    } catch (error) {
      if (isBusy(error)) this.end(bound.length);
      throw error;
    }
  }

  run(parameters: readonly unknown[]): ReturnType<KyselyStatement['run']> {
    const bound = boundParameters(parameters);
    try {
      return this.statement.run(bound);
    } catch (error) {
      if (isBusy(error)) this.end(bound.length);
      throw error;
    }
  }

  iterate(parameters: readonly unknown[]): IterableIterator<unknown> {
    return this.all(parameters).values();
  }

  /**
   * Ends a statement that met a lock. libsql leaves it open: it keeps its view of the database, and no transaction can
   * commit. An interrupted statement ends at its next step. Should it not be open after all, that step has nulls for
   * parameters, which match no row; `commit`, which has none, is left alone.
   */
  private end(parameters: number): void {
    const { connection, statement, reader } = this;
    if (!connection.interrupt || !statement.get) return;
    if (parameters === 0 && !reader) return;
    connection.interrupt();
    try {
      statement.get(new Array<null>(parameters).fill(null));
    } catch {
      // It tells that it was interrupted.
    }
  }
}

/**
 * Parameters as every SQLite driver takes them. libsql ends the process at a bound boolean or a lone object, so
 * nothing of the kind reaches it.
 *
 * @throws {TypeError} at a value that is neither a text, a number, bytes nor null
 */
function boundParameters(parameters: readonly unknown[]): unknown[] {
  return parameters.map(bound);
}

function bound(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  const isPlain = value === null || ['string', 'number', 'bigint'].includes(typeof value);
  if (isPlain || value instanceof Uint8Array) return value;
  throw new TypeError(`SQLite statements cannot bind a ${typeof value}.`);
}
