import type { SqliteDatabase } from 'kysely';

/**
 * What a SQLite library has to offer, in the shape that better-sqlite3 made common: parameters come as one array,
 * `reader` tells a statement that gives rows.
 */
export interface SqliteConnection extends Omit<SqliteDatabase, 'prepare'> {
  prepare(sql: string): SqliteStatement;
  exec(sql: string): unknown;
  /** Needed for search by meaning alone. */
  loadExtension?(path: string): unknown;
  /** libsql's: with the statement's `get` it ends a statement that met a lock, which libsql leaves open. */
  interrupt?(): unknown;
}

export interface SqliteStatement extends Omit<ReturnType<SqliteDatabase['prepare']>, 'iterate'> {
  get?(parameters: readonly unknown[]): unknown;
}

/** Opens a file, and creates it if missing, such as `(path) => new BetterSqlite3(path)`. */
export type SqliteDriver = (path: string) => SqliteConnection | Promise<SqliteConnection>;

/** The default: libsql, whose binary comes inside the npm package. Loaded on first use. */
export const libsqlDriver: SqliteDriver = async (path) => {
  const { default: Libsql } = await import('libsql');
  return new Libsql(path);
};
