import { checkName, checkScope } from '../names/name-length.js';
import type { AuthCredential } from './auth-config.js';
import { type CredentialScope, CredentialService } from './credential.service.js';
import { guardedCredential } from './guarded-credential.js';

/** Credentials that live as long as the process. */
export class InMemoryCredentialService extends CredentialService {
  private readonly credentials = new Map<string, AuthCredential>();

  load(scope: CredentialScope, key: string): Promise<AuthCredential | undefined> {
    return Promise.resolve(this.credentials.get(address(scope, key)));
  }

  async save(scope: CredentialScope, key: string, credential: AuthCredential): Promise<void> {
    checkScope(scope);
    checkName('key of a credential', key);
    this.credentials.set(address(scope, key), guardedCredential(credential));
  }

  delete(scope: CredentialScope, key: string): Promise<void> {
    this.credentials.delete(address(scope, key));
    return Promise.resolve();
  }
}

function address({ appName, userId }: CredentialScope, key: string): string {
  return JSON.stringify([appName, userId, key]);
}
