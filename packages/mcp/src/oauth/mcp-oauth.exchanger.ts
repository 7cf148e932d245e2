import { randomBytes } from 'node:crypto';

import { AdornError, type AuthConfig, type AuthCredential } from '@adorn/core';
import {
  describeThrown,
  type Consent,
  type ConsentAnswer,
  CredentialExchangeError,
  CredentialExchanger,
  type ExchangeContext,
  type OAuth2Credential,
} from '@adorn/core/backend';
import type { GuardedFetch } from '@adorn/http';
import type { AuthOptions, OAuthClientProvider, StoredOAuthTokens } from '@modelcontextprotocol/client';

import { AuthorizationFlow, type FlowState } from './authorization-flow.js';
import type { McpOAuthOptions } from './oauth-options.js';
import { notedScopes } from './wanted-scopes.js';

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const TIMEOUT_MS = 10_000;
const MOST_BYTES = 1_048_576;

/**
 * Obtains and refreshes tokens for one MCP server, by the published metadata of the server and its authorization
 * server. Requests to private addresses that are not configured are refused, and redirects are not followed.
 */
export class McpOAuthExchanger extends CredentialExchanger {
  /** What the client was registered as, so that it registers once in a process. */
  private registered: FlowState['client'];

  constructor(
    private readonly options: McpOAuthOptions,
    private readonly key: string,
  ) {
    super();
  }

  override handles({ key }: AuthConfig): boolean {
    return key === this.key;
  }

  override async exchange(
    _config: AuthConfig,
    context: ExchangeContext,
  ): Promise<AuthCredential | undefined> {
    if (this.options.grant !== 'clientCredentials') return undefined;
    const provider = await this.machineProvider();
    await this.authorize(provider, context, {});
    return credentialOf(await provider.tokens(), context);
  }

  override async beginConsent(_config: AuthConfig, context: ExchangeContext): Promise<Consent> {
    const state = randomBytes(32).toString('base64url');
    const flow = new AuthorizationFlow(this.options, { ...this.knownClient }, { state });
    await this.authorize(flow, context, { forceReauthorization: true });
    this.registered = flow.kept.client;
    if (flow.authorizationUrl === undefined)
      throw new CredentialExchangeError(
        'The authorization server of the MCP server names no page for a consent.',
      );
    const { redirectUri = '' } = this.options;
    return {
      shown: { authUri: flow.authorizationUrl.href, state, redirectUri },
      secrets: { flow: JSON.stringify(flow.kept) },
    };
  }

  override async endConsent(
    _config: AuthConfig,
    { secrets }: Consent,
    { parameters }: ConsentAnswer,
    context: ExchangeContext,
  ): Promise<AuthCredential> {
    const { code, error, iss } = parameters;
    if (code === undefined)
      throw new CredentialExchangeError(
        `The consent ended without a code: ${error ?? 'no reason was given'}.`,
      );
    const flow = new AuthorizationFlow(this.options, JSON.parse(secrets['flow'] ?? '{}') as FlowState);
    await this.authorize(flow, context, { authorizationCode: code, ...(iss !== undefined && { iss }) });
    return credentialOf(flow.obtained, context);
  }

  /** Renews a credential; undefined if the user has to consent anew. */
  async refresh(credential: OAuth2Credential, context: ExchangeContext): Promise<AuthCredential | undefined> {
    if (this.options.grant === 'clientCredentials') return this.exchange({} as AuthConfig, context);
    if (credential.refreshToken === undefined) return undefined;
    const { accessToken, refreshToken } = credential;
    const tokens: StoredOAuthTokens = {
      access_token: accessToken,
      token_type: 'Bearer',
      refresh_token: refreshToken,
    };
    const flow = new AuthorizationFlow(this.options, { ...this.knownClient }, { tokens });
    await this.authorize(flow, context, {});
    return flow.obtained === undefined ? undefined : credentialOf(flow.obtained, context);
  }

  private get knownClient(): FlowState {
    return this.registered === undefined ? {} : { client: this.registered };
  }

  private async machineProvider(): Promise<OAuthClientProvider> {
    const { ClientCredentialsProvider, PrivateKeyJwtProvider } = await import('@modelcontextprotocol/client');
    const { clientId = '', clientSecret = '', privateKey, issuer: expectedIssuer, scopes } = this.options;
    const client = { clientId, expectedIssuer, ...(scopes !== undefined && { scope: scopes.join(' ') }) };
    return privateKey === undefined
      ? new ClientCredentialsProvider({ ...client, clientSecret })
      : new PrivateKeyJwtProvider({ ...client, privateKey: privateKey.pem, algorithm: privateKey.algorithm });
  }

  /** A `fetch` that refuses private addresses except those of the configured hosts, and does not follow redirects. */
  private async openFetch(): Promise<GuardedFetch> {
    const { guardedFetch } = await import('@adorn/http');
    const { url, issuer, privateHosts } = this.options;
    const own = [url, ...(issuer === '*' ? [] : [issuer])].map((one) => new URL(one).hostname);
    return guardedFetch({
      privateHosts: [...(privateHosts ?? own)],
      timeout: TIMEOUT_MS,
      maxBytes: MOST_BYTES,
      maxRedirects: 0,
    });
  }

  private async authorize(
    provider: OAuthClientProvider,
    context: ExchangeContext,
    options: Partial<AuthOptions>,
  ): Promise<void> {
    const { auth } = await import('@modelcontextprotocol/client');
    const { url } = this.options;
    const guarded = await this.openFetch();
    const fetchFn: Fetch = (target, init) => guarded(target, { ...init, signal: context.signal });
    try {
      const challenge = options.authorizationCode === undefined ? await this.challenge(fetchFn) : {};
      await auth(provider, { serverUrl: url, fetchFn, ...challenge, ...options });
    } catch (error) {
      if (AdornError.is(error)) throw error;
      throw new CredentialExchangeError(
        `The authorization for the MCP server ${new URL(url).origin} failed: ${describeThrown(error).message}`,
        { cause: error },
      );
    } finally {
      await guarded.close();
    }
  }

  /**
   * The challenge of the server to a request without a credential: the URL of its metadata, and the required scopes.
   */
  private async challenge(fetchFn: Fetch): Promise<Partial<AuthOptions>> {
    const { extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client');
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const response = await fetchFn(this.options.url, { method: 'POST', headers, body: PROBE });
    await response.body?.cancel();
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
    const wanted = this.scopeOf(scope);
    return {
      ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }),
      ...(wanted !== undefined && { scope: wanted }),
    };
  }

  /** The configured scopes, or those of the challenge, with those that the server required during a call. */
  private scopeOf(challenged: string | undefined): string | undefined {
    const stated = this.options.scopes ?? challenged?.split(' ') ?? [];
    const all = new Set([...stated, ...notedScopes(this.key)]);
    return all.size === 0 ? undefined : [...all].join(' ');
  }
}

const PROBE = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

function credentialOf(tokens: StoredOAuthTokens | undefined, { clock }: ExchangeContext): OAuth2Credential {
  if (tokens === undefined) throw new CredentialExchangeError('The authorization server gave no tokens.');
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds, scope } = tokens;
  return {
    type: 'oauth2',
    accessToken,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(seconds !== undefined && { expiresAt: clock.now() + seconds }),
    ...(scope !== undefined && { scope }),
  };
}
