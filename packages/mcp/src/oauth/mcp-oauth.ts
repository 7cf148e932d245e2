import { type AuthConfig, type AuthCredential, ContainerModule } from '@adorn/core';
import { CredentialExchanger, CredentialRefresher, type ExchangeContext } from '@adorn/core/backend';

import { McpOAuthExchanger } from './mcp-oauth.exchanger.js';
import { checkOAuthOptions, type McpOAuthOptions } from './oauth-options.js';

/** What a toolset and a runner need for the OAuth of an MCP server. */
export interface McpOAuth {
  /** For `mcpToolset({ url, auth })`. */
  readonly auth: AuthConfig;
  /** For `createRunner(Agent, { modules })`. List it after `oauth()` of `@adorn/oauth`. */
  readonly module: ContainerModule;
}

/**
 * Authorization for one MCP server as the protocol has it: the server names its authorization server, which has to be the
 * expected one. Tokens are stored for each user under the issuer and the server.
 *
 * @throws {McpConfigInvalidError}
 * @example
 * const { auth, module } = mcpOAuth({ url, issuer: 'https://auth.example.com', redirectUri: 'https://app.example.com/back' });
 */
export function mcpOAuth(options: McpOAuthOptions): McpOAuth {
  checkOAuthOptions(options);
  const { url, issuer, redirectUri, clientId, clientMetadataUrl, clientSecret, scopes, grant } = options;
  // eslint-disable-next-line adorn/composed-keys -- addresses have no spaces
  const key = `mcp ${issuer} ${new URL(url).href}`;
  const auth: AuthConfig = {
    scheme: {
      type: 'openIdConnect',
      openIdConnectUrl: issuer === '*' ? url : issuer,
      flow: grant ?? 'authorizationCode',
      ...(scopes !== undefined && { scopes }),
    },
    credential: {
      type: 'oauthClient',
      clientId: clientId ?? clientMetadataUrl ?? 'registered with the issuer',
      ...(clientSecret !== undefined && { clientSecret }),
      ...(redirectUri !== undefined && { redirectUri }),
    },
    key,
  };
  const exchanger = new McpOAuthExchanger(options, key);
  const module = new ContainerModule(({ bind }) => {
    bind(CredentialExchanger).toConstantValue(exchanger);
    bind(CredentialRefresher).toConstantValue(new McpOAuthRefresher(exchanger));
  });
  return { auth, module };
}

class McpOAuthRefresher extends CredentialRefresher {
  constructor(private readonly exchanger: McpOAuthExchanger) {
    super();
  }

  override handles(config: AuthConfig, credential: AuthCredential): boolean {
    return this.exchanger.handles(config) && credential.type === 'oauth2';
  }

  override async refresh(
    _config: AuthConfig,
    credential: AuthCredential,
    context: ExchangeContext,
  ): Promise<AuthCredential | undefined> {
    return credential.type === 'oauth2' ? this.exchanger.refresh(credential, context) : undefined;
  }
}
