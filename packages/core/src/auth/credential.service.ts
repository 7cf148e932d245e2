import { shareClass } from '../metadata/shared-class.js';
import { NotSupportedError } from '../runtime/not-supported.error.js';
import { assertName, assertScope, checkName, checkScope, composedKey } from '@adorn/schema';
import { type AuthCredential, guardedCredential } from './auth-credential.js';

/** The application and user that own credentials. */
export interface CredentialScope {
  /** The application that owns the credentials. */
  readonly appName: string;
  /** The user whose credentials they are. */
  readonly userId: string;
}

/**
 * Stores the credentials of users, each under the key of its `AuthConfig`.
 *
 * Its own container identifier: `bind(CredentialService).to(InMemoryCredentialService)`. Every implementation passes
 * `describeCredentialService` from `@adorn/testing/contracts`.
 */
export abstract class CredentialService {
  static {
    shareClass(this, 'CredentialService');
  }

  /** Loads a credential; undefined if there is none. It prints as `[redacted]`: see `guardedCredential`. */
  abstract load(scope: CredentialScope, key: string): Promise<AuthCredential | undefined>;
  /**
   * Saves a credential, replacing the previous one. The argument may be a loaded (guarded) credential: spread it before
   * serialising it to JSON.
   *
   * @throws {AdornError} `NAME_TOO_LONG` if a name or the key has more than `MAX_NAME_BYTES`
   */
  abstract save(scope: CredentialScope, key: string, credential: AuthCredential): Promise<void>;
  /** Deletes the credential under a key. Does nothing if there is none. */
  abstract delete(scope: CredentialScope, key: string): Promise<void>;
  /**
   * Deletes all credentials of a user. Deleting them again does nothing.
   *
   * @returns how many there were
   * @throws {AdornError} `NOT_SUPPORTED` if the backend cannot
   */
  deleteUser({ userId }: CredentialScope): Promise<number> {
    return Promise.reject(new NotSupportedError(this, `delete the credentials of the user ${userId}`));
  }
}

/** Stores credentials in the process. */
export class InMemoryCredentialService extends CredentialService {
  private readonly credentials = new Map<string, AuthCredential>();

  async load(scope: CredentialScope, key: string): Promise<AuthCredential | undefined> {
    return this.credentials.get(address(scope, key));
  }

  async save(scope: CredentialScope, key: string, credential: AuthCredential): Promise<void> {
    checkScope(scope);
    checkName('key of a credential', key);
    this.credentials.set(address(scope, key), guardedCredential(credential));
  }

  async delete(scope: CredentialScope, key: string): Promise<void> {
    this.credentials.delete(address(scope, key));
  }

  override async deleteUser(scope: CredentialScope): Promise<number> {
    assertScope(scope);
    const prefix = `${composedKey(scope.appName, scope.userId).slice(0, -1)},`;
    const own = [...this.credentials.keys()].filter((key) => key.startsWith(prefix));
    for (const key of own) this.credentials.delete(key);
    return own.length;
  }
}

function address(scope: CredentialScope, key: string): string {
  assertScope(scope);
  assertName('key of a credential', key);
  const { appName, userId } = scope;
  return composedKey(appName, userId, key);
}
