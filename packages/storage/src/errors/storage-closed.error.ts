import { AdornError } from '@adorn/core';

/** The database was closed, by its runner or by `database.close()`. It is not opened again. */
export class StorageClosedError extends AdornError {
  readonly code = 'STORAGE_CLOSED';

  /** @param database its file, or its host; without a password */
  constructor(database: string) {
    super(
      `The database ${database} is closed, and nothing was read or written. ` +
        'Close a runner after its last call, or create a new one.',
    );
  }
}
