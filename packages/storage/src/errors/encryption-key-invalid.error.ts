import { AdornError } from '@adorn/core';

/** There is no key to encrypt credentials with, or what stands in its place is none. */
export class EncryptionKeyInvalidError extends AdornError {
  readonly code = 'ENCRYPTION_KEY_INVALID';

  /** @param problem a whole sentence without its full stop; never the key */
  constructor(problem: string, options?: ErrorOptions) {
    super(
      `${problem}. Nothing was written. Make a key by \`openssl rand -base64 32\` and put it into ` +
        'ADORN_ENCRYPTION_KEY, or into a key file.',
      options,
    );
  }
}
