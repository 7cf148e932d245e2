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

/** A session was created under an id that is taken. */
export class SessionExistsError extends AdornError {
  readonly code = 'SESSION_EXISTS';

  constructor(readonly sessionId: string) {
    super(
      `Session already exists: ${sessionId}. ` + 'Get it with getSession, or create one under another id.',
    );
  }
}

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

/** There is no session of that address. */
export class SessionNotFoundError extends AdornError {
  readonly code = 'SESSION_NOT_FOUND';

  constructor(readonly sessionId: string) {
    super(
      `There is no session "${sessionId}" of this application and user. ` +
        'Create it before appending events, or let runner.run create it.',
    );
  }
}

/** Another writer has claimed the invocation since. */
export class SessionTakenOverError extends AdornError {
  readonly code = 'SESSION_TAKEN_OVER';

  /**
   * @param epoch the epoch of the writer that was refused
   * @param current the epoch of the one that took over
   */
  constructor(
    readonly sessionId: string,
    readonly invocationId: string,
    readonly epoch: number,
    readonly current: number,
  ) {
    super(
      `The invocation ${invocationId} of the session "${sessionId}" was taken over: this writer is of epoch ` +
        `${String(epoch)}, and ${String(current)} is at work. Nothing was appended. Stop the run; the other goes on.`,
    );
  }
}
