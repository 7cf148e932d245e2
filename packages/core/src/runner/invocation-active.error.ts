import { AdornError } from '../errors/adorn.error.js';

/** The session, or the id, is in use by an invocation that is active. */
export class InvocationActiveError extends AdornError {
  readonly code = 'INVOCATION_ACTIVE';

  constructor(
    invocationId: string,
    remedy = 'Leave invocationId out, or wait until it has ended: runner.isActive tells.',
  ) {
    super(`An invocation "${invocationId}" is going on. ${remedy}`);
  }

  /** The session is in use, and the caller does not want to wait. */
  static inSession(invocationId: string): InvocationActiveError {
    return new this(
      invocationId,
      "Its session takes one run at a time. Wait until it has ended, end it by runner.cancel, or set whileActive: 'queue'.",
    );
  }

  /** Another process has the session, and the caller does not want to wait. */
  static elsewhere(invocationId: string, takeOverAfter: number): InvocationActiveError {
    return new this(
      invocationId,
      'Another process runs it, and its session takes one run at a time. Wait until it has ended, or has been silent ' +
        `for ${String(takeOverAfter)} ms (takeOverAfter), or set whileActive: 'queue'.`,
    );
  }

  /** A run that was started by a tool or callback of the active run would wait for itself. */
  static ofItself(invocationId: string): InvocationActiveError {
    return new this(
      invocationId,
      'A run that it starts in its own session would wait for itself. Give the nested run another sessionId.',
    );
  }
}
