import type { Event } from '../events/event.js';
import { AdornError } from '../errors/adorn.error.js';

/** A run that should have given a text gave none. */
export class RunFailedError extends AdornError {
  readonly code = 'RUN_FAILED';

  /** @param event the event that says why */
  constructor(readonly event: Event) {
    super(
      `The run ended without an answer: ${String(event.errorCode)}${event.errorMessage === undefined ? '' : `, ${event.errorMessage}`}. ` +
        'Use runner.run to see its events.',
    );
  }
}
