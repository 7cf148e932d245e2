import { Database } from './database.js';
import { libsqlDriver, type SqliteConnection } from './sqlite/sqlite-driver.js';

/** A SQLite database in memory that tells the plans of its statements. */
export class ExplainedDatabase extends Database {
  constructor(private readonly statements = new Map<string, unknown[]>()) {
    super(':memory:', { sqliteDriver: async (path) => recording(await libsqlDriver(path), statements) });
  }

  /** The steps by which SQLite executes the statements of work on a table: by which index rows are found and sorted. */
  async plansOf(work: () => Promise<unknown>, table: string): Promise<string[]> {
    const connection = await this.connection();
    this.statements.clear();
    await work();
    const asked = [...this.statements].filter(([text]) => text.includes(`"${table}"`));
    return asked.flatMap(([text, parameters]) => {
      const steps = connection?.prepare(`explain query plan ${text}`).all(parameters) ?? [];
      return (steps as { readonly detail: string }[]).map(({ detail }) => detail);
    });
  }
}

function recording(connection: SqliteConnection, statements: Map<string, unknown[]>): SqliteConnection {
  return {
    prepare(text) {
      const statement = connection.prepare(text);
      const isExplained = /^\s*explain/.test(text);
      return {
        reader: statement.reader,
        all(parameters) {
          if (!isExplained) statements.set(text, [...parameters]);
          return statement.all(parameters);
        },
        run(parameters) {
          statements.set(text, [...parameters]);
          return statement.run(parameters);
        },
      };
    },
    exec: (text) => connection.exec(text),
    close: () => connection.close(),
  };
}
