import { AdornError } from '@adorn/core';

/** The folder or the bucket that holds the bytes of artifacts cannot be used now. It is tried anew with the next call. */
export class ContentUnavailableError extends AdornError {
  readonly code = 'STORAGE_UNAVAILABLE';

  constructor(place: string, cause: Error) {
    super(
      `The content of artifacts at ${place} cannot be reached: ${cause.message}. ` +
        'No version was added. Check that it is there and may be used; the next call tries again by itself.',
      { cause },
    );
  }
}
