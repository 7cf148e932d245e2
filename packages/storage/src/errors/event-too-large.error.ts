import { AdornError } from '@adorn/core';

/** An event, or a write to the state, is larger than the store takes. */
export class EventTooLargeError extends AdornError {
  readonly code = 'EVENT_TOO_LARGE';

  /** @param what the event with its id, or the write to the state */
  constructor(what: string, found: number, limit: number) {
    super(
      `${what} takes ${String(found)} bytes, and the store takes ${String(limit)} at the most. Nothing was written. ` +
        'Keep large data as an artifact, or raise maxEventBytes.',
    );
  }
}
