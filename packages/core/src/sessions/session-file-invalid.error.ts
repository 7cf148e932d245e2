import { AdornError } from '../errors/adorn.error.js';

/** What should be an exported session is something else, or a part of one. */
export class SessionFileInvalidError extends AdornError {
  readonly code = 'SESSION_FILE_INVALID';

  /** @param line counted from 1 */
  constructor(line: number, found: string, options?: ErrorOptions) {
    super(
      `Line ${String(line)} of an exported session: ${found}. Nothing was imported. ` +
        'Give every line that exportSession wrote, in their order.',
      options,
    );
  }
}
