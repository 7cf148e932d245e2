import {
  ANY,
  kindOf,
  optionFault,
  type OptionRules,
  optionsOf,
  required,
  secret,
  TEXT,
  TEXTS,
} from '@adorn/core/backend';

import { McpConfigInvalidError } from '../errors.js';
import { isPrivate } from '../toolset/check-options.js';

/** How tokens for one MCP server are obtained. */
export interface McpOAuthOptions {
  /** The endpoint of the MCP server, as `mcpToolset` has it. */
  readonly url: string;
  /**
   * The authorization server that may issue tokens for the server. A server that names another one gets nothing. `*` trusts
   * the server to name its own: for development.
   */
  readonly issuer: string;
  /** Where the user's browser returns to. Needed unless `grant` is `clientCredentials`. */
  readonly redirectUri?: string;
  /** The id of a client that is registered with the issuer. Default: `clientMetadataUrl`, else the client registers itself. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** A key that authenticates the client in place of a secret: PEM, and its algorithm such as `ES256`. */
  readonly privateKey?: { readonly pem: string; readonly algorithm: string };
  /** The https URL of a document that describes the client, for issuers that take it as the client's id. */
  readonly clientMetadataUrl?: string;
  /** The client's name for users. Default: `adorn`. */
  readonly clientName?: string;
  /** The scopes to request. Default: the scopes that the server requires. */
  readonly scopes?: readonly string[];
  /** `clientCredentials` for access of the application's own: no user is asked. Default: `authorizationCode`. */
  readonly grant?: 'authorizationCode' | 'clientCredentials';
  /**
   * Host names in the server's metadata that may resolve to a private address. Default: the hosts of `url` and
   * `issuer`.
   */
  readonly privateHosts?: readonly string[];
}

const OPTIONS: OptionRules<McpOAuthOptions> = {
  // URLs and what depends on the grant are told apart below.
  url: ANY,
  issuer: ANY,
  redirectUri: ANY,
  clientId: TEXT,
  clientSecret: secret(TEXT),
  privateKey: secret(optionsOf({ pem: required(secret(TEXT)), algorithm: required(TEXT) })),
  clientMetadataUrl: TEXT,
  clientName: TEXT,
  scopes: TEXTS,
  grant: ANY,
  privateHosts: TEXTS,
};

/** @throws {McpConfigInvalidError} */
export function checkOAuthOptions(given: unknown): void {
  if (typeof given !== 'object' || given === null)
    refuse(`the options are ${kindOf(given)}`, 'Pass { url, issuer }.');
  const found = optionFault(given, OPTIONS);
  if (found !== undefined) refuse(found.fault, found.cure);
  const { url, issuer, redirectUri, grant, clientId } = given as Readonly<Record<string, unknown>>;
  requireUrl('url', url);
  if (issuer !== '*') requireUrl('issuer', issuer);
  if (grant === 'clientCredentials') {
    if (typeof clientId !== 'string')
      refuse('grant is "clientCredentials", and there is no clientId', 'Pass one.');
    if (issuer === '*')
      refuse(
        'grant is "clientCredentials", and issuer is "*"',
        'Pass the issuer that the credentials belong to.',
      );
  } else if (grant !== undefined && grant !== 'authorizationCode')
    refuse(`grant is ${kindOf(grant)}`, 'Pass "authorizationCode" or "clientCredentials".');
  else requireUrl('redirectUri', redirectUri);
}

function requireUrl(name: string, value: unknown): void {
  if (typeof value !== 'string' || !URL.canParse(value))
    refuse(`${name} is ${kindOf(value)} and no URL`, 'Pass its URL.');
  if (name !== 'redirectUri' && !isPrivate(new URL(value)))
    refuse(`${name} is not https, so tokens sent there could be read by others`, 'Pass its https URL.');
}

function refuse(fault: string, cure: string): never {
  throw new McpConfigInvalidError('mcpOAuth', fault, cure);
}
