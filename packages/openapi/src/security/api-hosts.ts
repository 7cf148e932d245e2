import { isIP } from 'node:net';

import { objectOf, textOf } from '../document/json-object.js';
import type { OpenApiDocument } from '../document/openapi-document.js';
import { OperationFault } from '../errors.js';
import { type AuthOptions, isAuthConfig } from './operation-auth.js';

/** An address that the developer wrote out may be private; a name may not, as it may be resolved to anything. */
export function statedHosts(url: string | undefined): string[] {
  if (url === undefined) return [];
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (hostname !== 'localhost' && isIP(host) === 0) return [];
  return [`${hostname}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`];
}

/** The headers that hold API keys, by the schemes of the document and the options. */
export function keyHeaders(document: OpenApiDocument, auth: AuthOptions): string[] {
  const own = isAuthConfig(auth) ? [auth.scheme] : Object.values(auth).map(({ scheme }) => scheme);
  return [...Object.values(document.securitySchemes), ...own]
    .map((scheme) => objectOf(resolved(document, scheme)))
    .filter((scheme) => scheme['in'] === 'header')
    .map(({ name }) => textOf(name) ?? '')
    .filter((name) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name));
}

/** A scheme that cannot be read is of no tool. */
function resolved(document: OpenApiDocument, scheme: unknown): unknown {
  try {
    return document.resolve(scheme);
  } catch {
    return undefined;
  }
}

/**
 * Refuses to send credentials where others can read them: they go over https, to this machine, or to a host that the
 * developer listed as private.
 *
 * @throws {OperationFault}
 */
export function refuseInsecure({ protocol, host, hostname }: URL, privateHosts: readonly string[]): void {
  const isLocal = /^(localhost|127\.[0-9.]+|\[::1\])$/.test(hostname);
  const isListed = [host, hostname].some((one) => privateHosts.includes(one));
  if (protocol === 'https:' || isLocal || isListed) return;
  throw new OperationFault(
    `its credential would be sent over http to ${host}, where others can read it`,
    "Pass the API's https address as baseUrl",
  );
}
