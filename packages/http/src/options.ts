import { isIP } from 'node:net';

import { kindOf, optionNames, unknownOption } from '@adorn/core/backend';

import { HttpOptionInvalidError } from './errors.js';
import type { ResolveHost } from './guarded-agent.js';

/** The options of `guardedFetch`. */
export interface GuardedFetchOptions {
  /**
   * Hosts that may have a private or loopback address: `localhost`, `10.0.0.5`, `api.internal:8080`. Without a port an
   * entry is for all ports. A link-local address (169.254.0.0/16, metadata services) has to be listed itself. Default: none.
   */
  readonly privateHosts?: readonly string[];
  /** Milliseconds until the headers of the last response are there, redirects included; `Infinity` for none. Default: 30,000. */
  readonly timeout?: number;
  /** Milliseconds for the whole body after that; `Infinity` for a stream that lasts. Default: 30,000. */
  readonly bodyTimeout?: number;
  /** The largest response body in bytes, after decompression; `Infinity` for none. Default: 10,485,760 (10 MiB). */
  readonly maxBytes?: number;
  /** How many redirects are followed. 0 returns a redirect as it is. Default: 5. */
  readonly maxRedirects?: number;
  /**
   * Names of further headers that hold credentials. Like `Authorization`, `Cookie` and `Proxy-Authorization` they are not
   * sent to another origin by a redirect. `'all'`: only the headers that describe content are sent there. Default: none.
   */
  readonly credentialHeaders?: readonly string[] | 'all';
  /** Resolves host names; its answers are checked as well. Default: the system's resolver. */
  readonly resolve?: ResolveHost;
}

const OPTIONS = optionNames<GuardedFetchOptions>({
  privateHosts: true,
  timeout: true,
  bodyTimeout: true,
  maxBytes: true,
  maxRedirects: true,
  credentialHeaders: true,
  resolve: true,
});

/** @throws {HttpOptionInvalidError} */
export function checkOptions(options: unknown): asserts options is GuardedFetchOptions {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new HttpOptionInvalidError(`its options are ${kindOf(options)}`, 'Pass an object.');
  const unknown = unknownOption(options, OPTIONS);
  if (unknown !== undefined) throw new HttpOptionInvalidError(unknown.fault, unknown.cure);
  const given = options as Readonly<Record<keyof GuardedFetchOptions, unknown>>;
  for (const name of ['timeout', 'bodyTimeout', 'maxBytes'] as const) refuseBadLimit(name, given[name]);
  refuseBadCount(given.maxRedirects);
  refuseBadList('privateHosts', given.privateHosts, isHost, "such as 'localhost:8080'");
  if (given.credentialHeaders !== 'all')
    refuseBadList('credentialHeaders', given.credentialHeaders, isHeaderName, "such as 'X-Api-Key'");
  if (given.resolve !== undefined && typeof given.resolve !== 'function')
    throw new HttpOptionInvalidError(`resolve is ${kindOf(given.resolve)}`, 'Pass a function.');
}

function refuseBadLimit(name: string, value: unknown): void {
  if (value === undefined || (typeof value === 'number' && value > 0)) return;
  const shown = typeof value === 'number' ? String(value) : kindOf(value);
  throw new HttpOptionInvalidError(`${name} is ${shown}`, 'Pass a number above 0, or Infinity.');
}

function refuseBadCount(value: unknown): void {
  if (value === undefined || (Number.isSafeInteger(value) && (value as number) >= 0)) return;
  const shown = typeof value === 'number' ? String(value) : kindOf(value);
  throw new HttpOptionInvalidError(`maxRedirects is ${shown}`, 'Pass an integer of at least 0.');
}

function refuseBadList(
  name: string,
  list: unknown,
  isEntry: (entry: unknown) => boolean,
  such: string,
): void {
  if (list === undefined) return;
  if (!Array.isArray(list)) throw new HttpOptionInvalidError(`${name} is ${kindOf(list)}`, 'Pass a list.');
  const bad = list.findIndex((entry) => !isEntry(entry));
  if (bad === -1) return;
  throw new HttpOptionInvalidError(`${name}[${String(bad)}] is not valid`, `List texts ${such}.`);
}

function isHost(entry: unknown): boolean {
  if (typeof entry !== 'string') return false;
  if (isIP(entry) === 6) return !entry.includes('%');
  return !/[/@?#\\\s*]/.test(entry) && URL.canParse(`http://${entry}`);
}

function isHeaderName(name: unknown): boolean {
  return typeof name === 'string' && /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name);
}
