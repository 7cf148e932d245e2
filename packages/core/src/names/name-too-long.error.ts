import { AdornError } from '../errors/adorn.error.js';

/** Something was to be kept under a name that is longer than stores take: nothing was written. */
export class NameTooLongError extends AdornError {
  readonly code = 'NAME_TOO_LONG';

  /** @param what the kind of name, such as "session id" */
  constructor(what: string, name: string, bytes: number, limit: number) {
    super(
      `The ${what} "${name.slice(0, 60)}…" has ${String(bytes)} bytes, and a name may have ${String(limit)}. ` +
        'Nothing was written. Give a shorter one, such as a hash of it.',
    );
  }
}
