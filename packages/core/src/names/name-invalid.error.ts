import { AdornError } from '../errors/adorn.error.js';
import { kindOf } from '../errors/kind-of.js';

/** A name is no text, or an empty one. Nothing was read or written under it. */
export class NameInvalidError extends AdornError {
  readonly code = 'NAME_INVALID';

  /** @param what the kind of name, such as "session id" */
  constructor(what: string, name: unknown) {
    super(
      `The ${what} must be a text, and is ${name === '' ? 'empty' : kindOf(name)}. ` +
        'Nothing was read or written. Pass a string: a number of a database as String(number).',
    );
  }
}
