import { CredentialExchangeError } from '@adorn/core/backend';
import type {
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';

import type { McpOAuthOptions } from './oauth-options.js';

/** What one authorization has found out; JSON, stored between its beginning and its end. */
export interface FlowState {
  client?: StoredOAuthClientInformation;
  verifier?: string;
  discovery?: OAuthDiscoveryState;
}

/**
 * One authorization of a client, as the protocol library wants it: it keeps what the library finds out, and gives a
 * credential to no other issuer than the expected one.
 */
export class AuthorizationFlow implements OAuthClientProvider {
  /** Where the user consents. */
  authorizationUrl: URL | undefined;
  /** The tokens that were obtained. */
  obtained: StoredOAuthTokens | undefined;
  readonly clientMetadataUrl?: string;

  constructor(
    private readonly options: McpOAuthOptions,
    readonly kept: FlowState,
    private readonly flow: { readonly state?: string; readonly tokens?: StoredOAuthTokens } = {},
  ) {
    if (options.clientMetadataUrl !== undefined) this.clientMetadataUrl = options.clientMetadataUrl;
  }

  get redirectUrl(): string | undefined {
    return this.options.redirectUri;
  }

  get clientMetadata(): OAuthClientMetadata {
    const { redirectUri, clientName = 'adorn', clientSecret } = this.options;
    return {
      client_name: clientName,
      redirect_uris: redirectUri === undefined ? [] : [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      ...(clientSecret === undefined && { token_endpoint_auth_method: 'none' }),
    };
  }

  state(): string {
    return this.flow.state ?? '';
  }

  clientInformation(context?: OAuthClientInformationContext): StoredOAuthClientInformation | undefined {
    this.requireIssuer(context?.issuer);
    const { clientId, clientSecret, issuer } = this.options;
    if (clientId === undefined) return this.kept.client;
    return {
      client_id: clientId,
      ...(clientSecret !== undefined && { client_secret: clientSecret }),
      ...(issuer !== '*' && { issuer }),
    };
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.kept.client = client;
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.flow.tokens;
  }

  saveTokens(tokens: StoredOAuthTokens, context?: OAuthClientInformationContext): void {
    this.requireIssuer(context?.issuer);
    this.obtained = tokens;
  }

  redirectToAuthorization(url: URL): void {
    this.authorizationUrl = url;
  }

  saveCodeVerifier(verifier: string): void {
    this.kept.verifier = verifier;
  }

  codeVerifier(): string {
    return this.kept.verifier ?? '';
  }

  saveDiscoveryState(discovery: OAuthDiscoveryState): void {
    this.requireIssuer(discovery.authorizationServerMetadata?.issuer ?? discovery.authorizationServerUrl);
    this.kept.discovery = discovery;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.kept.discovery;
  }

  private requireIssuer(issuer: string | undefined): void {
    const { issuer: expected, url } = this.options;
    if (issuer === undefined || expected === '*' || trimmed(issuer) === trimmed(expected)) return;
    throw new CredentialExchangeError(
      `The MCP server ${new URL(url).origin} names the authorization server ${originOf(issuer)}, but its tokens come from ${originOf(expected)}.`,
    );
  }
}

/** Issuers are compared without a slash at the end, which URLs add. */
function trimmed(issuer: string): string {
  return issuer.replace(/\/$/, '');
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : 'that is no URL';
}
