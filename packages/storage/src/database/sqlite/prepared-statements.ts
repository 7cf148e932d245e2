import type { SqliteDatabase, SqliteStatement as KyselyStatement } from 'kysely';

import { boundParameters } from './bound-parameters.js';
import type { SqliteConnection, SqliteStatement } from './sqlite-driver.js';

const KEPT = 200;

/** A connection as Kysely asks for it: statements are prepared once, and parameters are checked before they are bound. */
export class PreparedStatements implements SqliteDatabase {
  private readonly kept = new Map<string, KyselyStatement>();

  constructor(private readonly connection: SqliteConnection) {}

  prepare(sql: string): KyselyStatement {
    const known = this.kept.get(sql);
    if (known !== undefined) return known;
    const prepared = new CheckedStatement(this.connection.prepare(sql));
    if (this.kept.size < KEPT) this.kept.set(sql, prepared);
    return prepared;
  }

  close(): void {
    this.kept.clear();
    this.connection.close();
  }
}

class CheckedStatement implements KyselyStatement {
  readonly reader: boolean;

  constructor(private readonly statement: SqliteStatement) {
    this.reader = statement.reader;
  }

  all(parameters: readonly unknown[]): unknown[] {
    return this.statement.all(boundParameters(parameters));
  }

  run(parameters: readonly unknown[]): ReturnType<KyselyStatement['run']> {
    return this.statement.run(boundParameters(parameters));
  }

  iterate(parameters: readonly unknown[]): IterableIterator<unknown> {
    return this.all(parameters).values();
  }
}
