import { type AuthCredential, CredentialService } from '@adorn/core';
import {
  assertName,
  assertScope,
  checkName,
  checkScope,
  guardedCredential,
  type CredentialScope,
} from '@adorn/core/backend';
import { describeCredentialService } from '@adorn/testing/contracts';

class MapCredentialService extends CredentialService {
  private readonly credentials = new Map<string, AuthCredential>();

  async load(scope: CredentialScope, key: string): Promise<AuthCredential | undefined> {
    return this.credentials.get(addressOf(scope, key));
  }

  async save(scope: CredentialScope, key: string, credential: AuthCredential): Promise<void> {
    checkScope(scope); // names are non-empty strings of at most 512 bytes
    checkName('key of a credential', key);
    this.credentials.set(addressOf(scope, key), guardedCredential(credential)); // prints as [redacted]
  }

  async delete(scope: CredentialScope, key: string): Promise<void> {
    this.credentials.delete(addressOf(scope, key));
  }
}

function addressOf(scope: CredentialScope, key: string): string {
  assertScope(scope); // names are non-empty strings
  assertName('key of a credential', key);
  return JSON.stringify([scope.appName, scope.userId, key]);
}

describeCredentialService('MapCredentialService', async () => new MapCredentialService(), {
  lacks: ['deleteUser'],
});
