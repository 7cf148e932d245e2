import type { SqliteConnection, SqliteDriver } from './sqlite-driver.js';

/** The used part of `DatabaseSync`: the installed types of Node do not have it yet. */
interface DatabaseSync {
  prepare(sql: string): StatementSync;
  exec(sql: string): void;
  close(): void;
  loadExtension(path: string): void;
}

interface StatementSync {
  all(...parameters: unknown[]): unknown[];
  run(...parameters: unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  columns(): readonly unknown[];
}

/** Node's own SQLite, from Node 22.16 on: `sqlStorage('app.db', { sqliteDriver: nodeSqliteDriver })`. */
export const nodeSqliteDriver: SqliteDriver = async (path) => {
  const name = 'node:sqlite';
  const { DatabaseSync: Open } = (await import(name)) as {
    DatabaseSync: new (path: string, options: { allowExtension: boolean }) => DatabaseSync;
  };
  return connectionOf(withNames(() => new Open(path, { allowExtension: true })));
};

/** Takes parameters as separate arguments, and has the columns of a statement instead of a flag for rows. */
function connectionOf(database: DatabaseSync): SqliteConnection {
  return {
    prepare(sql) {
      const statement = withNames(() => database.prepare(sql));
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => withNames(() => statement.all(...parameters)),
        run: (parameters) => withNames(() => statement.run(...parameters)),
      };
    },
    exec: (sql) => {
      withNames(() => {
        database.exec(sql);
      });
    },
    close: () => {
      database.close();
    },
    loadExtension: (path) => {
      database.loadExtension(path);
    },
  };
}

/** SQLite's result codes, of which it gives the numbers only; the higher bytes of a number say more. */
const NAMES = new Map([
  [5, 'SQLITE_BUSY'],
  [6, 'SQLITE_LOCKED'],
  [8, 'SQLITE_READONLY'],
  [10, 'SQLITE_IOERR'],
  [11, 'SQLITE_CORRUPT'],
  [13, 'SQLITE_FULL'],
  [14, 'SQLITE_CANTOPEN'],
  [15, 'SQLITE_PROTOCOL'],
  [19, 'SQLITE_CONSTRAINT'],
  [26, 'SQLITE_NOTADB'],
]);

/** Gives errors the name that the other libraries use. */
function withNames<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const { errcode = 0 } = error as { errcode?: number };
    const code = NAMES.get(errcode & 0xff);
    throw code === undefined ? error : Object.assign(error as Error, { code });
  }
}
