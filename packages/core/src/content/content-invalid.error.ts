import { AdornError } from '../errors/adorn.error.js';

/** A content that is to be kept holds a value that its field cannot have. Nothing was written. */
export class ContentInvalidError extends AdornError {
  readonly code = 'CONTENT_INVALID';

  /** @param field such as `functionCall.args` */
  constructor(field: string, wanted: string, found: string) {
    super(
      `The content cannot be kept: its ${field} must be ${wanted}, and is ${found}. ` +
        'Nothing was written. Pass a content of JSON values, such as { parts: [{ text: "…" }] }.',
    );
  }
}
