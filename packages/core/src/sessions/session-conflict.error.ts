import { AdornError } from '../errors/adorn.error.js';

/** Somebody else appended to the session first. */
export class SessionConflictError extends AdornError {
  readonly code = 'SESSION_CONFLICT';

  /**
   * @param expected the place in the log that the writer expected
   * @param found the place that the next event gets
   */
  constructor(
    readonly sessionId: string,
    readonly expected: number,
    readonly found: number,
  ) {
    super(
      `An event of the session "${sessionId}" was to stand at place ${String(expected)}, ` +
        `and the next place is ${String(found)}. Nothing was appended. ` +
        'Load the session anew, and append again if that is still right.',
    );
  }
}
