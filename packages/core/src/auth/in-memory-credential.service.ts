import { assertName, assertScope, checkName, checkScope } from '../names/check-name.js';
import { type AuthCredential, guardedCredential } from './auth-credential.js';
import { type CredentialScope, CredentialService } from './credential.service.js';

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
}

function address(scope: CredentialScope, key: string): string {
  assertScope(scope);
  assertName('key of a credential', key);
  const { appName, userId } = scope;
  return JSON.stringify([appName, userId, key]);
}
