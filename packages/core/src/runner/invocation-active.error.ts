import { AdornError } from '../errors/adorn.error.js';

/** What was asked for cannot be done while that invocation goes on. */
export class InvocationActiveError extends AdornError {
  readonly code = 'INVOCATION_ACTIVE';

  constructor(
    invocationId: string,
    remedy = 'Leave invocationId out, or wait until it has ended: runner.isActive tells.',
  ) {
    super(`An invocation "${invocationId}" is going on. ${remedy}`);
  }

  /** A conversation cannot be rewound under a run. */
  static inSession(invocationId: string): InvocationActiveError {
    return new InvocationActiveError(
      invocationId,
      'Wait until it has ended, or end it by runner.cancel, and rewind then.',
    );
  }
}
