import { AdornError } from '@adorn/core';

/** There is no room left to write to. */
export class StorageFullError extends AdornError {
  readonly code = 'STORAGE_FULL';

  constructor(place: string, cause: Error) {
    super(
      `There is no room left at ${place}: ${cause.message}. ` +
        'Nothing was written, and what was stored before is whole. Make room; the next call tries again by itself.',
      { cause },
    );
  }
}
