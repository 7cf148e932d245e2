import type { Consent } from './credential-exchanger.js';
import type { CredentialScope, CredentialService } from './credential.service.js';
import type { ConsentAnswer } from './requested-auth-config.js';

/** Consents that were started and have no answer yet, stored with the credentials of their user. */
export class OpenConsents {
  constructor(private readonly credentials: CredentialService) {}

  /** The consent that an answer belongs to; undefined if it is not stored or cannot be read. */
  async find(user: CredentialScope, { state }: ConsentAnswer): Promise<Consent | undefined> {
    const stored = await this.credentials.load(user, keyOf(state));
    if (stored?.type !== 'custom') return undefined;
    try {
      const { shown = '', secrets = '' } = stored.values;
      return {
        shown: JSON.parse(shown) as Consent['shown'],
        secrets: JSON.parse(secrets) as Consent['secrets'],
      };
    } catch {
      // The error would quote what is stored.
      return undefined;
    }
  }

  keep(user: CredentialScope, { shown, secrets }: Consent): Promise<void> {
    const values = { shown: JSON.stringify(shown), secrets: JSON.stringify(secrets) };
    return this.credentials.save(user, keyOf(shown.state), { type: 'custom', values });
  }

  delete(user: CredentialScope, { state }: ConsentAnswer): Promise<void> {
    return this.credentials.delete(user, keyOf(state));
  }
}

function keyOf(state: string): string {
  return `consent:${state}`;
}
