import type { JsonWebKey } from 'node:crypto';

import type { CreateRunnerOptions, Logger, PendingRequest } from '@adorn/core';
import {
  ANY,
  type Awaitable,
  checkRecoverOptions,
  checkRunnerOptions,
  FUNCTION,
  isLoopback,
  LIST,
  OBJECT,
  optionFault,
  type OptionRules,
  optionsOf,
  POSITIVE,
  type RecoverOptions,
  required,
  rule,
  secret,
  type SenderInput,
  TEXT,
  TEXTS,
} from '@adorn/core/backend';
import type { AgentProvider, AgentSkill } from '@a2a-js/sdk';

import { A2aConfigInvalidError } from '../errors.js';

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
   * Returns who sent a request: an id, or a principal `{ id, roles, tenant, attributes, actsFor }`, which `approvers` of the tools
   * are held against; undefined for nobody, who may only read the card. Sessions belong to its `userId`, by default its id.
   * Default: everybody is `peer`, which only a loopback `url` allows.
   */
  readonly authenticate?: (request: Request) => Awaitable<SenderInput | string | undefined>;
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

const CARD: OptionRules<CardOptions> = {
  version: TEXT,
  provider: OBJECT,
  documentationUrl: TEXT,
  iconUrl: TEXT,
  skills: LIST,
};
const SIGNING: OptionRules<SigningKey> = {
  privateKey: required(secret(OBJECT)),
  algorithm: required(TEXT),
  keyId: required(TEXT),
};
const LIMITS: OptionRules<PeerLimits> = {
  bodyBytes: POSITIVE,
  tasks: POSITIVE,
  streams: POSITIVE,
  webhooks: POSITIVE,
};
const HOSTS = "Pass host names, such as ['agents.example.com'].";
const HANDLER: OptionRules<A2aHandlerOptions> = {
  // Told apart below.
  url: ANY,
  authenticate: FUNCTION,
  approve: FUNCTION,
  allowedHosts: rule((value) => value === 'any' || TEXTS.isValid(value), HOSTS),
  card: optionsOf(CARD),
  extendedCard: optionsOf(CARD),
  signing: secret(optionsOf(SIGNING)),
  webhookHosts: rule(TEXTS.isValid, HOSTS),
  limits: optionsOf(LIMITS),
  recover: ANY,
  runner: ANY,
  logger: OBJECT,
};
const PORT = rule(
  (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 65_536,
  'Pass a port from 0 to 65535.',
);
const SERVE: OptionRules<ServeA2aOptions> = {
  ...HANDLER,
  host: rule((value) => typeof value === 'string', 'Pass an address.'),
  port: PORT,
};
const OPTIONS = { a2aHandler: HANDLER, serveA2a: SERVE };

/** @throws {A2aConfigInvalidError | RunConfigInvalidError} */
export function checkServeOptions(caller: keyof typeof OPTIONS, given: unknown): void {
  const refuse = (fault: string, cure: string): never => {
    throw new A2aConfigInvalidError(caller, fault, cure);
  };
  const found = optionFault(given, OPTIONS[caller]);
  if (found !== undefined) refuse(found.fault, found.cure);
  const { url, authenticate, extendedCard, recover, runner, host } = given as ServeA2aOptions;
  if (extendedCard !== undefined && authenticate === undefined)
    refuse('there is an extendedCard, and no authenticate', 'Pass a function that tells principals apart.');
  if (recover !== undefined && recover !== false) checkRecoverOptions(recover);
  if (runner !== undefined) checkRunnerOptions(`${caller}, runner`, runner);
  if (url !== undefined || caller === 'a2aHandler') {
    if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      refuse('url is no http URL', 'Pass the address under which peers reach the handler.');
  }
  const reached = [host, url === undefined ? undefined : new URL(url).hostname].find(
    (one): one is string => typeof one === 'string' && !isLoopback(one.toLowerCase()),
  );
  if (reached !== undefined && authenticate === undefined)
    refuse(
      `others can reach it at "${reached}", and there is no authenticate`,
      'Pass a function that returns the id of the principal of a request, or serve on 127.0.0.1.',
    );
}
