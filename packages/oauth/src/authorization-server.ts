import type { AuthConfig } from '@adorn/core';
import {
  flowOf,
  type ExchangeContext,
  type OAuth2Scheme,
  type OpenIdConnectScheme,
  isLoopback,
} from '@adorn/core/backend';
import type { AuthorizationServer } from 'oauth4webapi';

import { EndpointInsecureError } from './errors.js';
import { optionsOf, request } from './request.js';

/** The authorization server of a config. */
export interface ServerOfConfig {
  readonly metadata: AuthorizationServer;
  /** Where tokens are refreshed, if elsewhere. */
  readonly refreshUrl?: string | undefined;
  /** The scopes to ask for, separated by spaces; empty for none. */
  readonly scope: string;
  /** True if the server published its issuer, so its metadata can be checked. */
  readonly isDiscovered: boolean;
}

const WELL_KNOWN = '/.well-known/openid-configuration';
const DISCOVERED_FOR_MS = 3_600_000;

/** Finds the endpoints of authorization servers: stated in the scheme, or published by the server. */
export class AuthorizationServers {
  private readonly discovered = new Map<
    string,
    { readonly until: number; readonly server: Promise<AuthorizationServer> }
  >();

  constructor(private readonly timeout: number) {}

  /** @throws {EndpointInsecureError} */
  check({ scheme }: AuthConfig): void {
    if (scheme.type === 'openIdConnect') requireSecure('openIdConnectUrl', scheme.openIdConnectUrl);
    if (scheme.type !== 'oauth2') return;
    for (const flow of Object.values(scheme.flows)) {
      for (const [name, url] of Object.entries(flow as Readonly<Record<string, unknown>>))
        if (name.endsWith('Url') && typeof url === 'string') requireSecure(name, url);
    }
  }

  /** @throws {OAuthRequestError | EndpointInsecureError} */
  async find(
    scheme: OAuth2Scheme | OpenIdConnectScheme,
    { signal }: ExchangeContext,
  ): Promise<ServerOfConfig> {
    if (scheme.type === 'oauth2') return statedServer(scheme);
    const fallback = flowOf(scheme) === 'clientCredentials' ? [] : ['openid'];
    const scope = (scheme.scopes ?? fallback).join(' ');
    return { metadata: await this.discover(scheme.openIdConnectUrl, signal), scope, isDiscovered: true };
  }

  private discover(url: string, signal: AbortSignal): Promise<AuthorizationServer> {
    const known = this.discovered.get(url);
    if (known !== undefined && known.until > performance.now()) return known.server;
    const server = this.load(url, signal);
    this.discovered.set(url, { server, until: performance.now() + DISCOVERED_FOR_MS });
    server.catch(() => this.discovered.delete(url));
    return server;
  }

  private async load(url: string, signal: AbortSignal): Promise<AuthorizationServer> {
    const issuer = requireSecure('openIdConnectUrl', url.replace(WELL_KNOWN, ''));
    const metadata = await request('discovery', issuer, async (oauth) => {
      const options = { algorithm: 'oidc' as const, ...optionsOf(oauth, issuer, signal, this.timeout) };
      return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options));
    });
    for (const name of ENDPOINTS) {
      const endpoint = metadata[name];
      if (endpoint !== undefined) requireSecure(name, endpoint);
    }
    return metadata;
  }
}

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'device_authorization_endpoint'] as const;

/** The issuer is unknown: the origin is used instead, and the issuer in the server's responses is ignored. */
function statedServer({ flows }: OAuth2Scheme): ServerOfConfig {
  const flow = flows.authorizationCode ?? flows.clientCredentials ?? flows.deviceAuthorization;
  const { tokenUrl = '', refreshUrl, scopes = [] } = flow ?? {};
  const issuer = requireSecure('tokenUrl', tokenUrl).origin;
  const metadata = {
    issuer,
    token_endpoint: tokenUrl,
    ...(flows.authorizationCode && { authorization_endpoint: flows.authorizationCode.authorizationUrl }),
    ...(flows.deviceAuthorization && {
      device_authorization_endpoint: flows.deviceAuthorization.deviceAuthorizationUrl,
    }),
  };
  const names = Array.isArray(scopes) ? (scopes as readonly string[]) : Object.keys(scopes);
  return { metadata, refreshUrl, scope: names.join(' '), isDiscovered: false };
}

/**
 * The URL of an endpoint that gets secrets.
 *
 * @throws {EndpointInsecureError}
 */
export function requireSecure(what: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw new EndpointInsecureError(what, 'is no URL');
  if (url.username !== '' || url.password !== '')
    throw new EndpointInsecureError(what, `at ${url.host} has a user name or password in it`);
  if (url.protocol !== 'https:' && !isOnThisMachine(url))
    throw new EndpointInsecureError(what, `${url.protocol}//${url.host} is not https`);
  return url;
}

function isOnThisMachine({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && isLoopback(hostname);
}
