import type { AuthConfig, AuthCredential } from '@adorn/core';
import type { ExchangeContext } from '@adorn/core/backend';

import { ClientExchanger } from './client.exchanger.js';
import { requestTokens } from './token-request.js';

/** Obtains tokens for the application itself, without asking a person. */
export class ClientCredentialsExchanger extends ClientExchanger {
  protected readonly flow = 'clientCredentials';

  async exchange(config: AuthConfig, context: ExchangeContext): Promise<AuthCredential> {
    const client = await this.client(config, context);
    const { scope } = client.server;
    return requestTokens(client, 'client_credentials', scope === '' ? {} : { scope });
  }
}
