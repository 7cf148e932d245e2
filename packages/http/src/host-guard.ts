import { isIP } from 'node:net';

import { addressKind } from './address.js';
import { AddressBlockedError } from './errors.js';

/** A host as a URL names it. */
export interface HostAddress {
  /** A name or an IP address; IPv6 without brackets. */
  readonly hostname: string;
  readonly port: string;
}

/** Decides which addresses may be connected to. */
export class HostGuard {
  private readonly allowed: ReadonlySet<string>;

  /** @param privateHosts see `GuardedFetchOptions.privateHosts` */
  constructor(privateHosts: readonly string[]) {
    this.allowed = new Set(privateHosts.map(hostEntry));
  }

  /** True if the host is listed, and may have a private address. */
  isListed({ hostname, port }: HostAddress): boolean {
    const name = plainName(hostname);
    return this.allowed.has(name) || this.allowed.has(`${name} ${port}`);
  }

  /**
   * Checks an address that a host resolved to.
   *
   * @throws {AddressBlockedError} for a private one of a host that is not listed, and for a link-local one unless the
   *   address itself is listed
   */
  checkAddress(host: HostAddress, address: string): void {
    const kind = addressKind(address);
    if (kind === undefined) return;
    const isLiteral = isIP(plainName(host.hostname)) !== 0;
    if (this.isListed(host) && (kind === 'private' || isLiteral)) return;
    const name = plainName(host.hostname);
    const cure =
      kind === 'private'
        ? `If it is meant, list it: privateHosts: ['${name}'].`
        : 'Metadata services are never reached by name.';
    throw new AddressBlockedError(`the host ${name} has a ${kind} address`, cure);
  }
}

/** `localhost.` and `LOCALHOST` are `localhost`, `[::1]` is `::1`. */
function plainName(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

/** An entry as it is compared: `name`, or `name port`. */
function hostEntry(entry: string): string {
  if (isIP(entry) === 6) return plainName(new URL(`http://[${entry}]`).hostname);
  const { hostname, port } = new URL(`http://${entry}`);
  const isDefaultPort = port === '' && entry.endsWith(':80');
  if (port === '' && !isDefaultPort) return plainName(hostname);
  return `${plainName(hostname)} ${isDefaultPort ? '80' : port}`;
}
