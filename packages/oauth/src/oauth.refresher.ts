import type { AuthConfig, AuthCredential } from '@adorn/core';
import { CredentialRefresher, type ExchangeContext } from '@adorn/core/backend';

import type { AuthorizationServers } from './authorization-server.js';
import { OAuthRequestError } from './errors.js';
import { clientOf, isOfClient, requestTokens } from './token-request.js';

/** Renews access tokens by their refresh tokens, which the server may replace. */
export class OAuthRefresher extends CredentialRefresher {
  constructor(
    private readonly servers: AuthorizationServers,
    private readonly timeout: number,
  ) {
    super();
  }

  handles(config: AuthConfig, credential: AuthCredential): boolean {
    return isOfClient(config) && credential.type === 'oauth2' && credential.refreshToken !== undefined;
  }

  /** Undefined if the server does not take the refresh token any more. */
  async refresh(
    config: AuthConfig,
    expired: AuthCredential,
    context: ExchangeContext,
  ): Promise<AuthCredential | undefined> {
    const { refreshToken = '' } = expired as { readonly refreshToken?: string };
    const client = await clientOf(this.servers, config, context, this.timeout);
    try {
      return {
        refreshToken,
        ...(await requestTokens(client, 'refresh_token', { refresh_token: refreshToken })),
      };
    } catch (error) {
      if (error instanceof OAuthRequestError && error.oauthError === 'invalid_grant') return undefined;
      throw error;
    }
  }
}
