import { AdornError } from '../errors/adorn.error.js';

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
