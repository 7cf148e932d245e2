import type { JsonWebKey } from 'node:crypto';

import { type Awaitable, isLoopback, kindOf, optionNames, unknownOption } from '@adorn/core/backend';
import type { AgentCard, AgentInterface } from '@a2a-js/sdk';

import { A2aConfigInvalidError, shownNumber } from '../errors.js';

/** How a peer is reached. */
export interface PeerOptions {
  /** Sent with each request to the peer's own origin: a credential, for example. */
  readonly headers?: Readonly<Record<string, string>> | (() => Awaitable<Readonly<Record<string, string>>>);
  /** Origins besides that of the URL at which the card may place the agent. They get the headers, too. Default: none. */
  readonly origins?: readonly string[];
  /** Private hosts that may be connected to, see `guardedFetch`. Default: that of a loopback URL. */
  readonly privateHosts?: readonly string[];
  /**
   * The public JSON Web Key of the peer: its card has to be signed with it, in revision 1.0. Default: cards are read
   * unsigned.
   */
  readonly publicKey?: JsonWebKey;
  /** Milliseconds for a response, and without news on a stream before the task is looked up. Default: 120,000. */
  readonly timeout?: number;
  /** How often a request that may be repeated is, with growing waits. Default: 5. */
  readonly retries?: number;
  /** Milliseconds between two looks at a task of a peer that does not stream. Default: 1,000. */
  readonly pollMs?: number;
  /** The largest response, and the most that a stream may send, in bytes. Default: 10,485,760. */
  readonly maxBytes?: number;
}

/** The options of `remoteAgent`. */
export interface RemoteAgentOptions extends PeerOptions {
  /** Required with a URL. Default: the card's, in snake_case. */
  readonly name?: string;
  /** Shown to other agents. Required with a URL. Default: the card's. */
  readonly description?: string;
}

const PEER: Readonly<Record<keyof PeerOptions, true>> = {
  headers: true,
  origins: true,
  privateHosts: true,
  publicKey: true,
  timeout: true,
  retries: true,
  pollMs: true,
  maxBytes: true,
};
const OPTIONS = optionNames<RemoteAgentOptions>({ name: true, description: true, ...PEER });

/** @throws {A2aConfigInvalidError} */
export function checkRemoteOptions(caller: string, source: unknown, given: unknown): void {
  const refuse = (fault: string, cure: string): never => {
    throw new A2aConfigInvalidError(caller, fault, cure);
  };
  if (typeof given !== 'object' || given === null)
    refuse(`the options are ${kindOf(given)}`, 'Pass an object.');
  const unknown = unknownOption(given as object, OPTIONS);
  if (unknown !== undefined) refuse(unknown.fault, unknown.cure);
  const { name, description, origins, ...others } = given as Readonly<Record<string, unknown>>;
  for (const [option, value] of Object.entries({ name, description }))
    if (value !== undefined && typeof value !== 'string')
      refuse(`${option} is ${kindOf(value)}`, 'Pass a text.');
  for (const option of ['timeout', 'retries', 'pollMs', 'maxBytes']) {
    const value = others[option];
    const least = option === 'retries' ? 0 : 1;
    if (value !== undefined && !(typeof value === 'number' && value >= least))
      refuse(`${option} is ${shownNumber(value)}`, `Pass a number of at least ${String(least)}.`);
  }
  if (
    others['publicKey'] !== undefined &&
    (typeof others['publicKey'] !== 'object' || others['publicKey'] === null)
  )
    refuse(`publicKey is ${kindOf(others['publicKey'])}`, 'Pass a public JSON Web Key.');
  if (origins !== undefined && !Array.isArray(origins))
    refuse(`origins is ${kindOf(origins)}`, 'Pass a list.');
  for (const url of [...urlsOf(source), ...((origins as unknown[] | undefined) ?? [])]) {
    const fault = urlFault(url);
    if (fault !== undefined) refuse(fault, 'Pass an https URL, or an http URL of this machine.');
  }
}

/** The URLs that the caller vouches for. */
export function urlsOf(source: unknown): unknown[] {
  if (typeof source !== 'object' || source === null || source instanceof URL) return [source];
  const { supportedInterfaces } = source as Partial<AgentCard>;
  if (!Array.isArray(supportedInterfaces) || supportedInterfaces.length === 0) return [undefined];
  return supportedInterfaces.map((one: Partial<AgentInterface> | null) => one?.url);
}

/** Why an address cannot be used; undefined if it can. */
export function urlFault(given: unknown): string | undefined {
  const text = given instanceof URL ? given.href : given;
  if (typeof text !== 'string' || !URL.canParse(text))
    return `the URL is ${kindOf(given)}, and none that can be read`;
  const { protocol, hostname, username, password, host } = new URL(text);
  if (username !== '' || password !== '') return `the URL of ${host} holds a credential`;
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) return undefined;
  return `the URL of ${host} is not https`;
}
