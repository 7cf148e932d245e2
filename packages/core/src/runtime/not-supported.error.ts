import { AdornError } from '@adorn/schema';

/** A backend does not implement an optional method. */
export class NotSupportedError extends AdornError {
  readonly code = 'NOT_SUPPORTED';

  /** @param what the unsupported operation: a verb and its object */
  constructor(backend: object, what: string) {
    super(
      `${backend.constructor.name} cannot ${what}. ` +
        'Override the method, or bind a backend that supports it, such as those of @adorn/storage.',
    );
  }
}
