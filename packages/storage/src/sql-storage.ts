import { ContainerModule, SessionService } from '@adorn/core';

import { Database, type DatabaseOptions } from './database/database.js';
import { type SqlSessionOptions, SqlSessionService } from './sessions/sql-session.service.js';

export interface SqlStorageOptions extends DatabaseOptions, SqlSessionOptions {}

/**
 * Binds every backend to one database: `createRunner(Root, { modules: [sqlStorage('app.db')] })`.
 *
 * The database is opened, and migrated, while the runner is created, and closed with it.
 *
 * @param url `app.db`, `file:app.db` or `:memory:` for SQLite; `postgres://user@host/database` for PostgreSQL
 * @throws {StorageUrlInvalidError} at once; `createRunner` rejects where the database cannot be opened
 */
export function sqlStorage(url: string, options: SqlStorageOptions = {}): ContainerModule {
  // Read here, so that a slip in the URL is told where it was written.
  new Database(url, options);
  return new ContainerModule(({ bind }) => {
    bind(Database)
      .toDynamicValue(async () => {
        const database = new Database(url, options);
        await database.open();
        return database;
      })
      .inSingletonScope()
      .onDeactivation((database) => database.close());
    bind(SessionService)
      .toDynamicValue(async (context) => new SqlSessionService(await context.getAsync(Database), options))
      .inSingletonScope();
  });
}
