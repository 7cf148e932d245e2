import type { AuthConfig } from '@adorn/core';
import { flowOf, CredentialExchanger, type ExchangeContext } from '@adorn/core/backend';

import type { AuthorizationServers } from './authorization-server.js';
import { type ClientOfServer, clientOf, isOfClient } from './token-request.js';

/** Gets tokens as a client of an authorization server, by one flow of OAuth. */
export abstract class ClientExchanger extends CredentialExchanger {
  protected abstract readonly flow: ReturnType<typeof flowOf>;

  constructor(
    private readonly servers: AuthorizationServers,
    private readonly timeout: number,
  ) {
    super();
  }

  handles(config: AuthConfig): boolean {
    return isOfClient(config) && flowOf(config.scheme) === this.flow;
  }

  override check(config: AuthConfig): void {
    this.servers.check(config);
  }

  /** @throws {OAuthRequestError | EndpointInsecureError} */
  protected client(config: AuthConfig, context: ExchangeContext): Promise<ClientOfServer> {
    return clientOf(this.servers, config, context, this.timeout);
  }
}
