import { AdornError } from '@adorn/core';

/** What the signature and its tags say together is not a valid JSON Schema. */
export class SchemaInvalidError extends AdornError {
  readonly code = 'SCHEMA_INVALID';

  constructor(callable: string, place: string, problem: string, options?: ErrorOptions) {
    super(
      `The schema derived for ${callable} (${place}) is not valid: ${problem}. ` +
        'Look at the tags of its doc comment (@minimum, @pattern and the like) and correct their values.',
      options,
    );
  }
}
