import { AdornError } from '../errors/adorn.error.js';

/** A backend was asked for something that not every backend has to know. */
export class NotSupportedError extends AdornError {
  readonly code = 'NOT_SUPPORTED';

  /** @param what a verb and its object */
  constructor(backend: object, what: string) {
    super(
      `${backend.constructor.name} cannot ${what}. ` +
        'Override the method there, or bind a backend that knows it, such as those of @adorn/storage.',
    );
  }
}
