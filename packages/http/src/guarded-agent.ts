import type { LookupAddress, LookupOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

import { Agent, buildConnector } from 'undici';

import { HttpRequestError } from './errors.js';
import type { HostAddress, HostGuard } from './host-guard.js';

/** Resolves a host name to its addresses. */
export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>;

/** How long connecting may take, in milliseconds; the limit of the whole request may end it sooner. */
const CONNECT_MS = 10_000;

/**
 * Connections whose address is checked when they are made: the address that was checked is the one that is connected to,
 * so a name that resolves differently the next time (DNS rebinding) cannot pass.
 */
export function guardedAgent(guard: HostGuard, resolve: ResolveHost): Agent {
  return new Agent({
    // The time limits are those of guardedFetch.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(options, callback) {
      const host: HostAddress = { hostname: options.hostname, port: portOf(options) };
      try {
        // Node connects to a literal address without a lookup.
        const literal = options.hostname.replace(/^\[(.*)\]$/, '$1');
        if (isIP(literal) !== 0) guard.checkAddress(host, literal);
        connectorFor(host, guard, resolve)(options, callback);
      } catch (error) {
        callback(error as Error, null);
      }
    },
  });
}

function portOf({ port, protocol }: { readonly port: string; readonly protocol: string }): string {
  return port === '' ? (protocol === 'https:' ? '443' : '80') : port;
}

function connectorFor(host: HostAddress, guard: HostGuard, resolve: ResolveHost): buildConnector.connector {
  const lookup: LookupFunction = (hostname, options, callback) => {
    checkedAddresses(hostname, { host, guard, resolve }, options).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all === true) callback(null, addresses);
        else callback(null, first?.address ?? '', first?.family);
      },
      (error: unknown) => {
        callback(error as Error, []);
      },
    );
  };
  return buildConnector({ timeout: CONNECT_MS, lookup });
}

async function checkedAddresses(
  hostname: string,
  { host, guard, resolve }: { host: HostAddress; guard: HostGuard; resolve: ResolveHost },
  { family }: LookupOptions,
): Promise<LookupAddress[]> {
  const found = await resolve(hostname);
  for (const { address } of found) guard.checkAddress(host, address);
  const wanted = family === 4 || family === 6 ? found.filter((one) => one.family === family) : found;
  if (wanted.length === 0) throw new HttpRequestError('unreachable', hostname, 'the host has no address');
  return [...wanted];
}
