import type { AuthCredential } from './auth-credential.js';

/** The application and user that own credentials. */
export interface CredentialScope {
  readonly appName: string;
  readonly userId: string;
}

/**
 * Stores the credentials of users, each under the key of its `AuthConfig`.
 *
 * Its own container identifier: `bind(CredentialService).to(InMemoryCredentialService)`. Every implementation passes
 * `describeCredentialService` from `@adorn/testing/contracts`.
 */
export abstract class CredentialService {
  /** Loads a credential; undefined if there is none. It prints as `[redacted]`: see `guardedCredential`. */
  abstract load(scope: CredentialScope, key: string): Promise<AuthCredential | undefined>;
  /**
   * Saves a credential, replacing the previous one. The argument may be a loaded (guarded) credential: spread it before
   * serialising it to JSON.
   *
   * @throws {AdornError} `NAME_TOO_LONG` if a name or the key has more than `MAX_NAME_BYTES`
   */
  abstract save(scope: CredentialScope, key: string, credential: AuthCredential): Promise<void>;
  abstract delete(scope: CredentialScope, key: string): Promise<void>;
}
