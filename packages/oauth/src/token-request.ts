import type { AuthConfig } from '@adorn/core';
import {
  isOAuth,
  type ExchangeContext,
  type OAuth2Credential,
  type OAuthClientCredential,
} from '@adorn/core/backend';
import type { Client, ClientAuth, TokenEndpointResponse } from 'oauth4webapi';

import { type AuthorizationServers, requireSecure, type ServerOfConfig } from './authorization-server.js';
import { type OAuthLibrary, optionsOf, request } from './request.js';

/** Whether a config gets its tokens as a client of an authorization server. */
export function isOfClient(config: AuthConfig): boolean {
  return isOAuth(config.scheme) && config.credential?.type === 'oauthClient';
}

/** What requests for a config share. */
export interface ClientOfServer {
  readonly server: ServerOfConfig;
  readonly credential: OAuthClientCredential;
  readonly client: Client;
  readonly context: ExchangeContext;
  readonly timeout: number;
}

/** @throws {OAuthRequestError | EndpointInsecureError} */
export async function clientOf(
  servers: AuthorizationServers,
  { scheme, credential }: AuthConfig,
  context: ExchangeContext,
  timeout: number,
): Promise<ClientOfServer> {
  if (!isOAuth(scheme) || credential?.type !== 'oauthClient') throw new TypeError('not a client of OAuth');
  const server = await servers.find(scheme, context);
  return { server, credential, client: { client_id: credential.clientId }, context, timeout };
}

/**
 * Requests tokens by a grant that needs only its parameters.
 *
 * @throws {OAuthRequestError}
 */
export async function requestTokens(
  of: ClientOfServer,
  grantType: string,
  parameters: Readonly<Record<string, string>>,
): Promise<OAuth2Credential> {
  const { server, client, context, timeout } = of;
  const isRefresh = grantType === 'refresh_token';
  const endpoint = requireSecure(
    'token endpoint',
    (isRefresh ? server.refreshUrl : undefined) ?? server.metadata.token_endpoint ?? '',
  );
  const metadata = { ...server.metadata, token_endpoint: endpoint.href };
  const answer = await request('token request', endpoint, async (oauth) => {
    const options = optionsOf(oauth, endpoint, context.signal, timeout);
    const authentication = authenticationOf(oauth, of);
    const response = await oauth.genericTokenEndpointRequest(
      metadata,
      client,
      authentication,
      grantType,
      { ...parameters },
      options,
    );
    return oauth.processGenericTokenEndpointResponse(metadata, client, await believed(server, response));
  });
  return tokensOf(answer, context);
}

/** The secret goes into the header, unless the config or the server wants it in the body. */
export function authenticationOf(
  oauth: OAuthLibrary,
  { credential: { clientSecret, clientAuthentication }, server }: ClientOfServer,
): ClientAuth {
  if (clientSecret === undefined) return oauth.None();
  const announced = server.metadata.token_endpoint_auth_methods_supported;
  const takesHeader = announced === undefined || announced.includes('client_secret_basic');
  const method = clientAuthentication ?? (takesHeader ? 'basic' : 'post');
  return method === 'post' ? oauth.ClientSecretPost(clientSecret) : oauth.ClientSecretBasic(clientSecret);
}

/** An ID token of a server whose issuer is not known proves nothing, so it is dropped. */
export async function believed({ isDiscovered }: ServerOfConfig, response: Response): Promise<Response> {
  if (isDiscovered || !response.ok) return response;
  const body: unknown = await response.json();
  const { status, headers } = response;
  return new Response(JSON.stringify({ ...(body as object), id_token: undefined }), { status, headers });
}

/** The tokens of an answer, with their end as a time. */
export function tokensOf(
  {
    access_token: accessToken,
    expires_in,
    refresh_token: refreshToken,
    id_token: idToken,
    scope,
  }: TokenEndpointResponse,
  { clock }: ExchangeContext,
): OAuth2Credential {
  return {
    type: 'oauth2',
    accessToken,
    ...(expires_in !== undefined && { expiresAt: clock.now() + expires_in }),
    ...(refreshToken !== undefined && { refreshToken }),
    ...(idToken !== undefined && { idToken }),
    ...(scope !== undefined && { scope }),
  };
}
