import type { AuthCredential } from './auth-config.js';

/** Whose credentials are meant. */
export interface CredentialScope {
  readonly appName: string;
  readonly userId: string;
}

/**
 * Keeps the credentials of users, each under the key of the `AuthConfig` that asked for it.
 *
 * Its own container identifier: `bind(CredentialService).to(InMemoryCredentialService)`.
 * Every implementation passes `describeCredentialService` from `@adorn/testing/contracts`.
 */
export abstract class CredentialService {
  /** Undefined where there is none. What is given prints without its secret: see `guardedCredential`. */
  abstract load(scope: CredentialScope, key: string): Promise<AuthCredential | undefined>;
  /**
   * Replaces what was there. What was loaded may come back: spread it before it is made into JSON.
   *
   * @throws {AdornError} `NAME_TOO_LONG`, where a name or the key has more than `MAX_NAME_BYTES`
   */
  abstract save(scope: CredentialScope, key: string, credential: AuthCredential): Promise<void>;
  abstract delete(scope: CredentialScope, key: string): Promise<void>;
}
