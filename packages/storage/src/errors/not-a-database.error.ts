import { AdornError } from '@adorn/core';

/** The file at the path is not a SQLite database, or is a damaged one. */
export class NotADatabaseError extends AdornError {
  readonly code = 'STORAGE_NOT_A_DATABASE';

  constructor(database: string, cause: Error) {
    super(
      `${database} is not a database that can be read: ${cause.message}. ` +
        'It was left as it is. Name another file, or put a backup in its place.',
      { cause },
    );
  }
}
