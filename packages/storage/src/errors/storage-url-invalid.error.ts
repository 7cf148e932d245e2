import { AdornError } from '@adorn/core';

/** The text that should say where the database is says something else. */
export class StorageUrlInvalidError extends AdornError {
  readonly code = 'STORAGE_URL_INVALID';

  /** @param found what was there; never the whole URL, which may hold a password */
  constructor(found: string) {
    super(
      `The URL of a database was ${found}. ` +
        'Give a path or "file:app.db" for SQLite, or "postgres://user@host/database" for PostgreSQL.',
    );
  }
}
