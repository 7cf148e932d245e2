import {
  ArtifactService,
  Clock,
  ContainerModule,
  CredentialService,
  Embedder,
  Logger,
  MemoryService,
  SessionService,
} from '@adorn/core';

import { checkOptions, EffectLedger, FUNCTION, OBJECT, type OptionRules, secret } from '@adorn/core/backend';

import type { ContentStore } from './artifacts/content-store.js';
import { SqlArtifactService } from './artifacts/sql-artifact.service.js';
import type { Keyring } from './credentials/keyring.js';
import { SqlCredentialService } from './credentials/sql-credential.service.js';
import { Database, DATABASE_OPTIONS, type DatabaseOptions } from './database/database.js';
import { SqlEffectLedger } from './effects/sql-effect-ledger.js';
import { MEMORY_OPTIONS, SqlMemoryService, type SqlMemoryOptions } from './memory/sql-memory.service.js';
import {
  SESSION_OPTIONS,
  type SqlSessionOptions,
  SqlSessionService,
} from './sessions/sql-session.service.js';

export interface SqlStorageOptions
  extends DatabaseOptions, Omit<SqlSessionOptions, 'artifacts'>, Pick<SqlMemoryOptions, 'maxEntries'> {
  /** Where the bytes of artifacts go. Default: a folder beside SQLite's file; with PostgreSQL, the database. */
  readonly contents?: (database: Database) => ContentStore;
  /** The keys of credentials. Default: `ADORN_ENCRYPTION_KEY`, or a file beside SQLite's. */
  readonly keyring?: Keyring;
}

const { cachedSessions, cachedBytes, maxEventBytes } = SESSION_OPTIONS;

const OPTIONS: OptionRules<SqlStorageOptions> = {
  contents: FUNCTION,
  keyring: secret(OBJECT),
  maxEntries: MEMORY_OPTIONS.maxEntries,
  ...DATABASE_OPTIONS,
  cachedSessions,
  cachedBytes,
  maxEventBytes,
};

/**
 * Binds sessions, artifacts, memory, credentials and the ledger of effects to one database, in the place of an earlier module:
 * `createRunner(Root, { modules: [sqlStorage('app.db')] })`. A service that a later module binds replaces this one;
 * an `Embedder` that is bound lets memories be found by their meaning.
 *
 * The database is opened, and migrated, while the runner is created, and closed with it.
 *
 * @param url `app.db`, `file:app.db` or `:memory:` for SQLite; `postgres://user@host/database` for PostgreSQL
 * @throws {StorageUrlInvalidError | StorageOptionInvalidError} at once; `createRunner` rejects where the database cannot be opened
 */
export function sqlStorage(url: string, options: SqlStorageOptions = {}): ContainerModule {
  checkOptions('sqlStorage', options, OPTIONS);
  const { contents, keyring, maxEntries, ...others } = options;
  const { cachedSessions, cachedBytes, maxEventBytes, ...database } = others;
  const sessions = { cachedSessions, cachedBytes, maxEventBytes };
  // Read here, so that a slip in the URL or an option is told where it was written.
  new SqlSessionService(new Database(url, database), sessions);
  return new ContainerModule(({ bind, rebind }) => {
    // Replaces the database of an earlier module, as its services are replaced.
    rebind(Database)
      .toDynamicValue(async () => {
        const opened = new Database(url, database);
        await opened.open();
        return opened;
      })
      .inSingletonScope()
      .onDeactivation((opened) => opened.close());
    rebind(SqlArtifactService)
      .toDynamicValue(async (context) => {
        const opened = await context.getAsync(Database);
        return new SqlArtifactService(opened, contents?.(opened));
      })
      .inSingletonScope();
    bind(ArtifactService).toService(SqlArtifactService);
    bind(SessionService)
      .toDynamicValue(async (context) => {
        const artifacts = await context.getAsync(SqlArtifactService);
        return new SqlSessionService(await context.getAsync(Database), { ...sessions, artifacts });
      })
      .inSingletonScope();
    bind(MemoryService)
      .toDynamicValue(async (context) => {
        const optional = { optional: true } as const;
        const embedder = await context.getAsync<Embedder>(Embedder, optional);
        const logger = await context.getAsync<Logger>(Logger, optional);
        const clock = await context.getAsync<Clock>(Clock, optional);
        const memory = { maxEntries, embedder, ...(logger && { logger }), ...(clock && { clock }) };
        return new SqlMemoryService(await context.getAsync(Database), memory);
      })
      .inSingletonScope();
    bind(EffectLedger)
      .toDynamicValue(async (context) => new SqlEffectLedger(await context.getAsync(Database)))
      .inSingletonScope();
    bind(CredentialService)
      .toDynamicValue(async (context) => {
        return new SqlCredentialService(await context.getAsync(Database), keyring);
      })
      .inSingletonScope();
  });
}
