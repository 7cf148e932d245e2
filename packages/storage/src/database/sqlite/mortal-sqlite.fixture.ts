import {
  libsqlDriver,
  type SqliteConnection,
  type SqliteDriver,
  type SqliteStatement,
} from './sqlite-driver.js';

const WRITE = /^\s*(?:insert|update|delete|replace)\b/i;

/**
 * SQLite as a process has it that dies: `modules: [sqlStorage(url, { sqliteDriver: mortal.driver })]`. After a number of writes, each a
 * committed transaction or a statement of its own, every statement throws, and what is not committed is rolled back.
 */
export class MortalSqlite {
  /** How many writes are left. */
  left = Infinity;
  private readonly connections: SqliteConnection[] = [];

  get isDead(): boolean {
    return this.left <= 0;
  }

  readonly driver: SqliteDriver = async (path) => {
    const connection = await libsqlDriver(path);
    this.connections.push(connection);
    const state = { isInTransaction: false, hasWritten: false };
    const mortal: SqliteConnection = {
      prepare: (sql) => this.mortalStatement(sql, connection.prepare(sql), state),
      exec: (sql) => {
        this.requireAlive();
        if (sql.startsWith('begin')) Object.assign(state, { isInTransaction: true, hasWritten: false });
        return connection.exec(sql);
      },
      close: () => {
        connection.close();
      },
      interrupt: () => connection.interrupt?.(),
    };
    return mortal;
  };

  private mortalStatement(
    sql: string,
    statement: SqliteStatement,
    state: { isInTransaction: boolean; hasWritten: boolean },
  ): SqliteStatement {
    const run = <Result>(work: () => Result): Result => {
      this.requireAlive();
      const result = work();
      const isEnd = sql === 'commit' || sql === 'rollback';
      if (WRITE.test(sql)) state.hasWritten = true;
      if (isEnd) state.isInTransaction = false;
      if (state.hasWritten && !state.isInTransaction) {
        state.hasWritten = false;
        if (sql !== 'rollback') this.countWrite();
      }
      return result;
    };
    return {
      reader: statement.reader,
      all: (parameters) => run(() => statement.all(parameters)),
      run: (parameters) => run(() => statement.run(parameters)),
      get: (parameters) => run(() => statement.get?.(parameters)),
    };
  }

  /** The process does not learn that its last write is stored. */
  private countWrite(): void {
    this.left--;
    if (!this.isDead) return;
    for (const connection of this.connections) connection.close();
    this.requireAlive();
  }

  private requireAlive(): void {
    if (this.isDead) throw new Error('The process has died.');
  }
}
