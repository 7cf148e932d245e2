import { sign } from 'node:crypto';

import type { AuthConfig, AuthCredential } from '@adorn/core';
import {
  isOAuth,
  CredentialExchanger,
  type ExchangeContext,
  type ServiceAccountCredential,
} from '@adorn/core/backend';

import { requireSecure } from './authorization-server.js';
import { OAuthRequestError } from './errors.js';
import { optionsOf, request } from './request.js';

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const ASSERTION_SECONDS = 3_600;

/** Gets tokens for an account of the application, by an assertion signed with its key (RS256). */
export class ServiceAccountExchanger extends CredentialExchanger {
  constructor(private readonly timeout: number) {
    super();
  }

  handles({ credential }: AuthConfig): boolean {
    return credential?.type === 'serviceAccount';
  }

  override check({ credential }: AuthConfig): void {
    if (credential?.type === 'serviceAccount') requireSecure('tokenUrl', credential.tokenUrl);
  }

  async exchange(config: AuthConfig, context: ExchangeContext): Promise<AuthCredential> {
    const account = config.credential as ServiceAccountCredential;
    const { token, expiresAt } = await this.requestToken(account, context);
    const end = expiresAt !== undefined && { expiresAt };
    return isOAuth(config.scheme)
      ? { type: 'oauth2', accessToken: token, ...end }
      : { type: 'bearer', token, ...end };
  }

  private async requestToken(
    account: ServiceAccountCredential,
    context: ExchangeContext,
  ): Promise<IssuedToken> {
    const endpoint = requireSecure('tokenUrl', account.tokenUrl);
    const metadata = { issuer: endpoint.origin, token_endpoint: endpoint.href };
    const now = context.clock.now();
    const assertion = assertionOf(account, Math.floor(now));
    return request('token request', endpoint, async (oauth) => {
      const client = { client_id: account.clientEmail };
      const options = optionsOf(oauth, endpoint, context.signal, this.timeout);
      const response = await oauth.genericTokenEndpointRequest(
        metadata,
        client,
        withoutClient,
        GRANT,
        { assertion },
        options,
      );
      const idToken = account.audience === undefined ? undefined : await idTokenOf(response.clone());
      if (idToken !== undefined) return idToken;
      const answer = await oauth.processGenericTokenEndpointResponse(metadata, client, response);
      const { access_token: token, expires_in } = answer;
      return { token, expiresAt: expires_in === undefined ? undefined : now + expires_in };
    });
  }
}

interface IssuedToken {
  readonly token: string;
  readonly expiresAt: number | undefined;
}

/** Adds nothing to the request: the assertion identifies the account. */
function withoutClient(): void {
  // Nothing is added to the request.
}

/** Reads an ID token, which replaces the access token and contains its own expiry. */
async function idTokenOf(response: Response): Promise<IssuedToken | undefined> {
  if (!response.ok) return undefined;
  const { id_token: token } = (await response.json()) as { readonly id_token?: unknown };
  if (typeof token !== 'string') return undefined;
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
  const { exp } = JSON.parse(payload) as { readonly exp?: unknown };
  return { token, expiresAt: typeof exp === 'number' ? exp : undefined };
}

function assertionOf(account: ServiceAccountCredential, now: number): string {
  const { clientEmail, privateKey, privateKeyId, tokenUrl, scopes = [], audience, subject } = account;
  const header = { alg: 'RS256', typ: 'JWT', kid: privateKeyId };
  const claims = {
    iss: clientEmail,
    sub: subject ?? (audience === undefined ? undefined : clientEmail),
    aud: tokenUrl,
    iat: now,
    exp: now + ASSERTION_SECONDS,
    scope: audience === undefined && scopes.length > 0 ? scopes.join(' ') : undefined,
    target_audience: audience,
  };
  const signed = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${signatureOf(signed, privateKey, tokenUrl)}`;
}

/** Errors of OpenSSL may reveal parts of the key, so they are replaced. */
function signatureOf(text: string, privateKey: string, tokenUrl: string): string {
  try {
    return sign('RSA-SHA256', Buffer.from(text), privateKey).toString('base64url');
  } catch {
    const { host } = new URL(tokenUrl);
    throw new OAuthRequestError('token request', host, 'the private key of the service account cannot sign');
  }
}
