import { BlockList, isIP } from 'node:net';

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
    // eslint-disable-next-line adorn/composed-keys -- the name of a host has no space
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

/** True for the literal of an address that is private or link-local: a host that only `privateHosts` allows. */
export function isPrivateAddress(hostname: string): boolean {
  const address = plainName(hostname);
  return isIP(address) !== 0 && addressKind(address) !== undefined;
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

/** Why an address may not be connected to; undefined for a public one. */
type AddressKind = 'link-local' | 'private';

/** IPv4 ranges that are not public: this network, private, shared, loopback, special, documentation, multicast, reserved. */
const PRIVATE = rangesOf([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);

/** Where clouds keep the credentials of a machine. */
const METADATA = rangesOf(['169.254.0.0/16', '100.100.100.200/32', '168.63.129.16/32']);
const METADATA_6 = rangesOf(['fe80::/10', 'fd00:ec2::254/128', 'fd20:ce::254/128'], 'ipv6');

/** IPv6 addresses are public within 2000::/3 only, and there not in these ranges, which embed or document others. */
const GLOBAL_6 = rangesOf(['2000::/3'], 'ipv6');
const SPECIAL_6 = rangesOf(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'], 'ipv6');

/**
 * The kind of an address that is not public: `link-local` includes the metadata services of clouds, `private` all other
 * ranges. IPv4 addresses inside IPv6 ones (mapped, NAT64) are judged as IPv4.
 *
 * @param address an IP address without brackets
 */
export function addressKind(address: string): AddressKind | undefined {
  const family = isIP(address);
  if (family === 4) return kindOf4(address);
  if (family !== 6 || address.includes('%')) return 'private';
  const embedded = embedded4(address);
  if (embedded !== undefined) return kindOf4(embedded);
  if (METADATA_6.check(address, 'ipv6')) return 'link-local';
  return GLOBAL_6.check(address, 'ipv6') && !SPECIAL_6.check(address, 'ipv6') ? undefined : 'private';
}

function kindOf4(address: string): AddressKind | undefined {
  if (METADATA.check(address)) return 'link-local';
  return PRIVATE.check(address) ? 'private' : undefined;
}

/** The IPv4 address in `::ffff:a.b.c.d` and `64:ff9b::a.b.c.d`, however it is written. */
function embedded4(address: string): string | undefined {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const match = /^(?:::ffff:|64:ff9b::)(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4})$/.exec(canonical);
  if (match === null) return undefined;
  const high = parseInt(match[1] ?? '0', 16);
  const low = parseInt(match[2] ?? '0', 16);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function rangesOf(ranges: readonly string[], family: 'ipv4' | 'ipv6' = 'ipv4'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/');
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}
