import { type AuthConfig, type AuthCredential, CredentialExchanger, type ExchangeContext } from '@adorn/core';
import { flowOf } from '@adorn/core/backend';

import type { AuthorizationServers } from './authorization-server.js';
import { clientOf, isOfClient, requestTokens } from './token-request.js';

/** Gets tokens for the application itself; nobody is asked. */
export class ClientCredentialsExchanger extends CredentialExchanger {
  constructor(
    private readonly servers: AuthorizationServers,
    private readonly timeout: number,
  ) {
    super();
  }

  handles(config: AuthConfig): boolean {
    return isOfClient(config) && flowOf(config.scheme) === 'clientCredentials';
  }

  override check(config: AuthConfig): void {
    this.servers.check(config);
  }

  async exchange(config: AuthConfig, context: ExchangeContext): Promise<AuthCredential> {
    const client = await clientOf(this.servers, config, context, this.timeout);
    const { scope } = client.server;
    return requestTokens(client, 'client_credentials', scope === '' ? {} : { scope });
  }
}
