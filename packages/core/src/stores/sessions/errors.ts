import { AdornError } from '@adorn/schema';

export { NotSupportedError } from '../../runtime/not-supported.error.js';

/** Another writer appended to the session first. */
export class SessionConflictError extends AdornError {
  readonly code = 'SESSION_CONFLICT';

  /**
   * @param expected the sequence number that the writer expected
   * @param found the sequence number of the next event
   */
  constructor(
    /** The session to which nothing was appended. */
    readonly sessionId: string,
    /** The sequence number that the writer expected. */
    readonly expected: number,
    /** The sequence number of the next event. */
    readonly found: number,
  ) {
    super(
      `An append to the session "${sessionId}" expected the sequence number ${String(expected)}, ` +
        `but the next one is ${String(found)}. Nothing was appended. ` +
        'Reload the session, and append again if the event is still valid.',
    );
  }
}

/** A session with that id exists already. */
export class SessionExistsError extends AdornError {
  readonly code = 'SESSION_EXISTS';

  constructor(
    /** The id that is taken. */
    readonly sessionId: string,
  ) {
    super(`Session already exists: ${sessionId}. Load it with getSession, or create one with another id.`);
  }
}

/** An exported session cannot be read, or is incomplete. */
export class SessionFileInvalidError extends AdornError {
  readonly code = 'SESSION_FILE_INVALID';

  /** @param line counted from 1 */
  constructor(line: number, found: string, options?: ErrorOptions) {
    super(
      `Line ${String(line)} of an exported session: ${found}. Nothing was imported. ` +
        'Pass all lines that exportSession wrote, in their order.',
      options,
    );
  }
}

/** No session has that application, user and id. */
export class SessionNotFoundError extends AdornError {
  readonly code = 'SESSION_NOT_FOUND';

  constructor(
    /** The id that was not found. */
    readonly sessionId: string,
  ) {
    super(
      `Session "${sessionId}" does not exist for this application and user. ` +
        'Create it before appending events, or let runner.run create it.',
    );
  }
}

/** Another run has taken the session in the meantime. */
export class SessionTakenOverError extends AdornError {
  readonly code = 'SESSION_TAKEN_OVER';

  /**
   * @param invocationId of the event that was refused
   * @param epoch the epoch of the writer
   * @param current the epoch of the run that took the session
   */
  constructor(
    /** The session to which nothing was appended. */
    readonly sessionId: string,
    /** The invocation of the refused event. */
    readonly invocationId: string,
    /** The epoch of the refused writer. */
    readonly epoch: number,
    /** The epoch of the run that took the session. */
    readonly current: number,
  ) {
    super(
      `Another run has taken over the session "${sessionId}": the invocation ${invocationId} has epoch ` +
        `${String(epoch)}, the session ${String(current)}. Nothing was appended. Stop this run; the other one continues.`,
    );
  }
}
