import { AdornError } from '../errors/adorn.error.js';

/** The invocation was cancelled while something of it ran. */
export class InvocationCancelledError extends AdornError {
  readonly code = 'CANCELLED';

  constructor(
    message = 'The invocation was cancelled before this was done.',
    /** Whether it interrupted a tool call, whose outcome is then unknown. */
    readonly isDuringCall = false,
  ) {
    super(message);
  }

  /** The store did not confirm what the run wrote last. */
  static withoutStore(): InvocationCancelledError {
    return new this(
      'The invocation was cancelled, and its store has not answered since. Its last events may be stored or not: read the session when the store answers.',
    );
  }

  /** A tool was told to stop, and may not have: its effect may still come. */
  static duringCall(): InvocationCancelledError {
    return new this(
      'outcome unknown: the invocation was cancelled while this call was under way. It may have taken effect.',
      true,
    );
  }
}
