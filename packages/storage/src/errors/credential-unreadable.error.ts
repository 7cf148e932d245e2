import { AdornError } from '@adorn/core';

/** A stored credential cannot be decrypted: its key is not at hand, or it is not what was stored there. */
export class CredentialUnreadableError extends AdornError {
  readonly code = 'CREDENTIAL_UNREADABLE';

  /** @param problem why, as the end of "The credential … of user …" */
  constructor(key: string, userId: string, problem: string) {
    super(
      `The credential "${key}" of user "${userId}" ${problem}. ` +
        'Give the key it was encrypted with among the old ones, or delete the credential and ask the user anew.',
    );
  }
}
