import { isIP } from 'node:net';

import { OperationFault } from '../errors.js';

/** An address that the developer wrote out may be private; a name may not, as it may be resolved to anything. */
export function statedHosts(url: string | undefined): string[] {
  if (url === undefined) return [];
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (hostname !== 'localhost' && isIP(host) === 0) return [];
  return [`${hostname}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`];
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
