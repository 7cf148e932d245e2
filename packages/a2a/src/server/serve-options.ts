import type { JsonWebKey } from 'node:crypto';

import type { CreateRunnerOptions, Logger, PendingRequest } from '@adorn/core';
import {
  type Awaitable,
  isLoopback,
  kindOf,
  optionNames,
  type RecoverOptions,
  unknownOption,
} from '@adorn/core/backend';
import type { AgentProvider, AgentSkill } from '@a2a-js/sdk';

import { A2aConfigInvalidError, shownNumber } from '../errors.js';

/** What a card says that the classes do not. */
export interface CardOptions {
  /** Default: `1.0.0`. */
  readonly version?: string;
  readonly provider?: AgentProvider;
  readonly documentationUrl?: string;
  readonly iconUrl?: string;
  /** Default: one skill for the agent, and one for each sub-agent and tool, from their names and doc comments. */
  readonly skills?: readonly AgentSkill[];
}

/** The key with which cards and notifications are signed. */
export interface SigningKey {
  /** A private JSON Web Key, such as one of `generateKeyPair('ES256')` of `jose`. */
  readonly privateKey: JsonWebKey;
  /** Such as `ES256` or `EdDSA`. */
  readonly algorithm: string;
  /** By which peers know the key. */
  readonly keyId: string;
}

/** Limits for each principal. */
export interface PeerLimits {
  /** Bytes of a request. Default: 10,485,760. */
  readonly bodyBytes?: number;
  /** Tasks that run at a time; more are refused with HTTP 429. Default: 16. */
  readonly tasks?: number;
  /** Streams that are read at a time. Default: 32. */
  readonly streams?: number;
  /** Webhooks of a task. Default: 10. */
  readonly webhooks?: number;
}

/** The options of `a2aHandler`. */
export interface A2aHandlerOptions {
  /** The address under which peers reach the handler, for the cards, such as `https://agents.example.com/a2a`. */
  readonly url: string;
  /**
   * Returns the id of the principal that sent a request; undefined for nobody, who may only read the card. Sessions belong
   * to it. Default: everybody is `peer`, which only a loopback `url` allows.
   */
  readonly authenticate?: (request: Request) => Awaitable<string | undefined>;
  /**
   * Whether a principal may approve a call that waits for a confirmation, or supply a result. Inputs are always taken from
   * the peer, and credentials never. Default: nobody may.
   */
  readonly approve?: (request: PendingRequest, principal: string) => Awaitable<boolean>;
  /**
   * Host names that requests may be addressed to; `any` if a proxy or a server in front checks them. Default: that of `url`;
   * with a loopback one, all of this machine.
   */
  readonly allowedHosts?: readonly string[] | 'any';
  readonly card?: CardOptions;
  /** What the card says besides to principals that `authenticate` knows. Default: there is no such card. */
  readonly extendedCard?: CardOptions;
  /** Signs the card, and each notification. Default: neither is signed. */
  readonly signing?: SigningKey;
  /** Private hosts that webhooks of peers may have, see `guardedFetch`. Default: none. */
  readonly webhookHosts?: readonly string[];
  readonly limits?: PeerLimits;
  /** How interrupted tasks are recovered when the handler is made, and every five seconds; or false. Default: as `runner.recover`. */
  readonly recover?: RecoverOptions | false;
  /** Modules, plugins and limits of the runners that are created here. */
  readonly runner?: Omit<CreateRunnerOptions, 'appName'>;
  /** Default: the console. */
  readonly logger?: Logger;
}

/** The options of `serveA2a`. */
export interface ServeA2aOptions extends Omit<A2aHandlerOptions, 'url'> {
  /** Default: `127.0.0.1`. Another one needs `authenticate`. */
  readonly host?: string;
  /** Default: 0, any free port. */
  readonly port?: number;
  /** The address in the cards. Default: the one that is listened on. */
  readonly url?: string;
}

const HANDLER: Readonly<Record<keyof A2aHandlerOptions, true>> = {
  url: true,
  authenticate: true,
  approve: true,
  allowedHosts: true,
  card: true,
  extendedCard: true,
  signing: true,
  webhookHosts: true,
  limits: true,
  recover: true,
  runner: true,
  logger: true,
};
const OPTIONS = {
  a2aHandler: optionNames<A2aHandlerOptions>(HANDLER),
  serveA2a: optionNames<ServeA2aOptions>({ ...HANDLER, host: true, port: true }),
};
const CARD = optionNames<CardOptions>({
  version: true,
  provider: true,
  documentationUrl: true,
  iconUrl: true,
  skills: true,
});
const SIGNING = optionNames<SigningKey>({ privateKey: true, algorithm: true, keyId: true });
const LIMITS = optionNames<PeerLimits>({ bodyBytes: true, tasks: true, streams: true, webhooks: true });

/** @throws {A2aConfigInvalidError} */
export function checkServeOptions(caller: keyof typeof OPTIONS, given: unknown): void {
  const refuse = (fault: string, cure: string): never => {
    throw new A2aConfigInvalidError(caller, fault, cure);
  };
  const checkNames = (what: string, value: unknown, names: ReadonlySet<string>): void => {
    if (typeof value !== 'object' || value === null) refuse(`${what} ${kindOf(value)}`, 'Pass an object.');
    const unknown = unknownOption(value as object, names);
    if (unknown !== undefined) refuse(unknown.fault, unknown.cure);
  };
  checkNames('the options are', given, OPTIONS[caller]);
  const options = given as Readonly<Record<string, unknown>>;
  const { url, authenticate, approve, card, extendedCard, signing, limits, host, port } = options;
  const { allowedHosts, webhookHosts } = options;
  const lists = { allowedHosts: allowedHosts === 'any' ? [] : allowedHosts, webhookHosts };
  for (const [name, value] of Object.entries({ authenticate, approve }))
    if (value !== undefined && typeof value !== 'function')
      refuse(`${name} is ${kindOf(value)}`, 'Pass a function.');
  for (const [name, list] of Object.entries(lists))
    if (list !== undefined && !Array.isArray(list))
      refuse(`${name} is ${kindOf(list)}`, "Pass host names, such as ['agents.example.com'].");
  if (card !== undefined) checkNames('card is', card, CARD);
  if (extendedCard !== undefined) checkNames('extendedCard is', extendedCard, CARD);
  if (extendedCard !== undefined && authenticate === undefined)
    refuse('there is an extendedCard, and no authenticate', 'Pass a function that tells principals apart.');
  if (signing !== undefined) checkNames('signing is', signing, SIGNING);
  if (limits !== undefined) checkNames('limits is', limits, LIMITS);
  for (const [name, limit] of Object.entries(limits ?? {}))
    if (!(typeof limit === 'number' && limit > 0))
      refuse(`limits.${name} is ${shownNumber(limit)}`, 'Pass a number above 0.');
  if (url !== undefined || caller === 'a2aHandler') {
    if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      refuse('url is no http URL', 'Pass the address under which peers reach the handler.');
  }
  if (port !== undefined && !(Number.isInteger(port) && Number(port) >= 0 && Number(port) < 65_536))
    refuse(`port is ${shownNumber(port)}`, 'Pass a port from 0 to 65535.');
  if (host !== undefined && typeof host !== 'string') refuse(`host is ${kindOf(host)}`, 'Pass an address.');
  const reached = [host, url === undefined ? undefined : new URL(url as string).hostname].find(
    (one): one is string => typeof one === 'string' && !isLoopback(one.toLowerCase()),
  );
  if (reached !== undefined && authenticate === undefined)
    refuse(
      `others can reach it at "${reached}", and there is no authenticate`,
      'Pass a function that returns the id of the principal of a request, or serve on 127.0.0.1.',
    );
}
