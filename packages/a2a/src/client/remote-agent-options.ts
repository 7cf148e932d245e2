import type { JsonWebKey } from 'node:crypto';

import {
  type Awaitable,
  isLoopback,
  isObject,
  kindOf,
  LIST,
  optionFault,
  type OptionRules,
  rule,
  secret,
  TEXT,
  TEXTS,
} from '@adorn/core/backend';
import type { AgentCard, AgentInterface } from '@a2a-js/sdk';

import { A2aConfigInvalidError } from '../errors.js';

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

const AMOUNT = rule((value) => typeof value === 'number' && value >= 1, 'Pass a number of at least 1.');

const OPTIONS: OptionRules<RemoteAgentOptions> = {
  name: TEXT,
  description: TEXT,
  headers: secret(
    rule(
      (value) => isObject(value) || typeof value === 'function',
      'Pass texts by their names, or a function that returns them.',
    ),
  ),
  origins: LIST,
  privateHosts: TEXTS,
  // A private key may be passed by mistake.
  publicKey: secret(rule(isObject, 'Pass a public JSON Web Key.')),
  timeout: AMOUNT,
  retries: rule((value) => typeof value === 'number' && value >= 0, 'Pass a number of at least 0.'),
  pollMs: AMOUNT,
  maxBytes: AMOUNT,
};

/** @throws {A2aConfigInvalidError} */
export function checkRemoteOptions(caller: string, source: unknown, given: unknown): void {
  const refuse = (fault: string, cure: string): never => {
    throw new A2aConfigInvalidError(caller, fault, cure);
  };
  const found = optionFault(given, OPTIONS);
  if (found !== undefined) refuse(found.fault, found.cure);
  const { origins } = given as RemoteAgentOptions;
  for (const url of [...urlsOf(source), ...(origins ?? [])]) {
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
