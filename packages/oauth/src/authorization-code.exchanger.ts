import type { AuthConfig, AuthCredential } from '@adorn/core';
import type { Consent, ConsentAnswer, ExchangeContext } from '@adorn/core/backend';

import { requireSecure } from './authorization-server.js';
import { ClientExchanger } from './client.exchanger.js';
import { optionsOf, request } from './request.js';
import { authenticationOf, believed, type ClientOfServer, tokensOf } from './token-request.js';

/** Gets tokens by the user's consent in a browser, with PKCE (S256) and a state that counts once. */
export class AuthorizationCodeExchanger extends ClientExchanger {
  protected readonly flow = 'authorizationCode';

  async exchange(): Promise<undefined> {
    return undefined;
  }

  override async beginConsent(config: AuthConfig, context: ExchangeContext): Promise<Consent> {
    const { server, credential } = await this.client(config, context);
    const oauth = await import('oauth4webapi');
    const codeVerifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const isOpenId = server.isDiscovered && server.scope.split(' ').includes('openid');
    const nonce = isOpenId ? oauth.generateRandomNonce() : undefined;
    const url = requireSecure('authorization endpoint', server.metadata.authorization_endpoint ?? '');
    const { clientId, redirectUri, authorizationParameters } = credential;
    const parameters = {
      ...authorizationParameters,
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: server.scope === '' ? undefined : server.scope,
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(parameters))
      if (value !== undefined) url.searchParams.set(name, value);
    return {
      shown: { authUri: url.href, state, ...(redirectUri !== undefined && { redirectUri }) },
      secrets: { codeVerifier, ...(nonce !== undefined && { nonce }) },
    };
  }

  override async endConsent(
    config: AuthConfig,
    consent: Consent,
    answer: ConsentAnswer,
    context: ExchangeContext,
  ): Promise<AuthCredential> {
    const client = await this.client(config, context);
    return exchangeCode(client, consent, answer);
  }
}

async function exchangeCode(
  of: ClientOfServer,
  { shown, secrets }: Consent,
  { parameters, redirectUri = '' }: ConsentAnswer,
): Promise<AuthCredential> {
  const { server, client, context, timeout } = of;
  const { metadata, isDiscovered } = server;
  const endpoint = requireSecure('token endpoint', metadata.token_endpoint ?? '');
  const returned = new URLSearchParams(parameters);
  if (!isDiscovered) returned.delete('iss');
  const answer = await request('token request', endpoint, async (oauth) => {
    const callback = oauth.validateAuthResponse(metadata, client, returned, shown.state);
    const response = await oauth.authorizationCodeGrantRequest(
      metadata,
      client,
      authenticationOf(oauth, of),
      callback,
      redirectUri,
      secrets['codeVerifier'] ?? '',
      optionsOf(oauth, endpoint, context.signal, timeout),
    );
    return oauth.processAuthorizationCodeResponse(metadata, client, await believed(server, response), {
      expectedNonce: secrets['nonce'] ?? oauth.expectNoNonce,
    });
  });
  return tokensOf(answer, context);
}
