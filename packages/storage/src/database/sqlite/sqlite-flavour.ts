import { setTimeout as sleep } from 'node:timers/promises';

import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely';

import { PreparedStatements } from './prepared-statements.js';
import type { SqliteConnection, SqliteDriver as OpenSqlite } from './sqlite-driver.js';

/** How long one call may wait for another process that writes, in milliseconds. */
const PATIENCE = 10_000;
/** How long the driver itself may wait, which holds up the whole process. */
const HELD_UP = 20;

/** A committed write survives the loss of power; readers and the one writer do not wait for each other. */
const PRAGMAS = [
  `PRAGMA busy_timeout = ${String(HELD_UP)}`,
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = FULL',
  'PRAGMA foreign_keys = ON',
];

/** SQLite for Kysely: a transaction takes the lock of the writer when it begins, so that it never has to turn back. */
export class SqliteFlavour extends SqliteDialect {
  private readonly config: SqliteDialectConfig;
  private readonly patience: number;
  private driver: ImmediateDriver | undefined;

  constructor({ patience = PATIENCE, ...config }: SqliteDialectConfig & { readonly patience?: number }) {
    super(config);
    this.config = config;
    this.patience = patience;
  }

  /** Whether nobody is at the connection: what is done there without waiting in between is then in nobody's way. */
  get isFree(): boolean {
    return this.driver?.isFree ?? false;
  }

  override createDriver(): Driver {
    this.driver = new ImmediateDriver(this.config, this.patience);
    return this.driver;
  }
}

class ImmediateDriver extends SqliteDriver {
  isFree = true;

  constructor(
    config: SqliteDialectConfig,
    private readonly patience: number,
  ) {
    super(config);
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    this.isFree = false;
    return connection;
  }

  override async releaseConnection(): Promise<void> {
    this.isFree = true;
    await super.releaseConnection();
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const deadline = performance.now() + this.patience;
    for (;;) {
      try {
        await connection.executeQuery(CompiledQuery.raw('begin immediate'));
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error;
        await sleep(5 + Math.random() * 20);
      }
    }
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      if (!isOver(error)) throw error;
    }
  }
}

/** SQLite itself takes back a transaction that met a full disk: there is then nothing left to take back. */
function isOver(error: unknown): boolean {
  return String((error as { message?: unknown }).message).includes('no transaction is active');
}

export interface OpenedSqlite {
  readonly connection: SqliteConnection;
  readonly statements: PreparedStatements;
  readonly dialect: SqliteFlavour;
}

/** @param open the driver */
export async function openSqlite(open: OpenSqlite, path: string): Promise<OpenedSqlite> {
  const connection = await open(path);
  try {
    for (const pragma of PRAGMAS) connection.prepare(pragma).all([]);
  } catch (error) {
    connection.close();
    throw error;
  }
  const statements = new PreparedStatements(connection);
  return { connection, statements, dialect: new SqliteFlavour({ database: statements }) };
}

/** Whether another process is writing. */
export function isBusy(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY');
}
