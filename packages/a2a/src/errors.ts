import { AdornError } from '@adorn/core';
import { kindOf } from '@adorn/core/backend';

/** An option of `serveA2a` or `remoteAgent` does not exist, or has a value that cannot be used. */
export class A2aConfigInvalidError extends AdornError {
  readonly code = 'A2A_CONFIG_INVALID';

  /** @param fault what is wrong, without a period; without secrets */
  constructor(caller: string, fault: string, cure: string) {
    super(`${caller}: ${fault}. ${cure}`);
  }
}

/** A remote agent could not be reached, or does not answer as the protocol says. */
export class A2aPeerFailedError extends AdornError {
  readonly code = 'A2A_PEER_FAILED';

  /** @param peer its address without secrets */
  constructor(peer: string, fault: string, cure: string, options?: ErrorOptions) {
    super(`The remote agent at ${peer}: ${fault}. ${cure}`, options);
  }
}

/** A message was sent, and nobody can say whether the remote agent has it. */
export class A2aOutcomeUnknownError extends AdornError {
  readonly code = 'A2A_OUTCOME_UNKNOWN';

  /** @param fault what became of the answer, without a period */
  constructor(peer: string, messageId: string, fault: string, options?: ErrorOptions) {
    super(
      `The remote agent at ${peer} may have got the message ${messageId}, but ${fault}. The peer neither lists the task ` +
        'nor recognises a message that is sent again, so it was not sent twice. Ask the peer what it did, or send a new message.',
      options,
    );
  }
}

/** A number itself, and the kind of anything else, for an error message about a number. */
export function shownNumber(value: unknown): string {
  return typeof value === 'number' ? String(value) : kindOf(value);
}
