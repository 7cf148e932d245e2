import { AdornError } from '@adorn/core';

/**
 * The database could not be reached, or went away before it answered. It is tried anew with the next call. What was
 * under way when it went is either written whole or not at all.
 */
export class StorageUnavailableError extends AdornError {
  readonly code = 'STORAGE_UNAVAILABLE';

  /** @param database its file, or its host; without a password */
  constructor(database: string, cause: Error) {
    super(
      `The database ${database} did not answer: ${cause.message}. ` +
        'Check that it is there and may be opened; the next call tries again by itself.',
      { cause },
    );
  }
}
