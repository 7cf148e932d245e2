import { AdornError } from '../errors/adorn.error.js';

/** A conversation was to be rewound to an invocation that is not in it. */
export class InvocationNotFoundError extends AdornError {
  readonly code = 'INVOCATION_NOT_FOUND';

  constructor(invocationId: string, sessionId: string) {
    super(
      `No event of the session "${sessionId}" bears the invocationId "${invocationId}". ` +
        'Pass the invocationId of one of its events.',
    );
  }
}
