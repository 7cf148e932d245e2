import {
  checkRunnerOptions,
  invalidOption,
  isLoopback,
  isObject,
  kindOf,
  OBJECT,
  optionNames,
  type OptionRules,
  optionsOf,
  required,
  rule,
  type SweepOptions,
  TEXT,
  unknownOption,
} from '@adorn/core/backend';

import { pathOnOrigin } from './access/sign-in.js';
import { ServerOptionInvalidError } from './errors.js';
import type {
  EvalOptions,
  HandlerOptions,
  InboxWebhookOptions,
  ServeOptions,
  ServerLimits,
} from './server-options.js';

const HANDLER: Readonly<Record<keyof HandlerOptions, true>> = {
  authenticate: true,
  token: true,
  signIn: true,
  page: true,
  basePath: true,
  allowedHosts: true,
  allowedOrigins: true,
  limits: true,
  reconnectGrace: true,
  recover: true,
  inboxWebhook: true,
  endpoints: true,
  heartbeatMs: true,
  evals: true,
  profiles: true,
  runner: true,
  logger: true,
};
const HANDLER_OPTIONS = optionNames<HandlerOptions>(HANDLER);
const SERVE_OPTIONS = optionNames<ServeOptions>({
  port: true,
  host: true,
  dangerouslyAllowUnauthenticatedRemote: true,
  adkPage: true,
  a2a: true,
  ...HANDLER,
});
const LIMITS = optionNames<ServerLimits>({
  bodyBytes: true,
  bodyValues: true,
  userBodyBytes: true,
  serverBodyBytes: true,
  streams: true,
  serverStreams: true,
  speechBytes: true,
  serverSpeechBytes: true,
  sessions: true,
  stalledMs: true,
});

const SWEEP = optionNames<SweepOptions>({ newerThan: true, concurrency: true, maxAttempts: true });

const EVALS: OptionRules<EvalOptions> = {
  store: required(rule(isObject, 'Pass { store: new FolderEvalStore(folder) } of @adorn/eval.')),
  judge: OBJECT,
};

const PROFILES = rule(
  (value) => Array.isArray(value) && value.every(isProfile),
  'Pass a list of what workingMemory of @adorn/memory returns.',
);

const ENDPOINTS = rule(
  (value) => Array.isArray(value) && value.every(isEndpoint),
  'Pass a list of what trigger, slack and email of @adorn/channels return, with paths that start with "/".',
);

const PAGE = rule(
  (value) => typeof value === 'string' || typeof value === 'boolean',
  'Pass true for the studio, the path of a folder, or false.',
);

const WEBHOOK: OptionRules<InboxWebhookOptions> = {
  url: required(rule(isWebUrl, 'Pass an address that begins with https://.')),
  secret: required(TEXT),
};

/** The options with one simple type each, and those with options of their own. */
const RULES = {
  logger: OBJECT,
  adkPage: TEXT,
  page: PAGE,
  evals: optionsOf(EVALS),
  inboxWebhook: optionsOf(WEBHOOK),
  endpoints: ENDPOINTS,
  profiles: PROFILES,
} as const satisfies Partial<OptionRules<ServeOptions>>;

function isEndpoint(value: unknown): boolean {
  const { path, receive } = Object(value) as Readonly<Record<string, unknown>>;
  return typeof path === 'string' && /^\/[\w./-]*$/.test(path) && typeof receive === 'function';
}

function isProfile(value: unknown): boolean {
  const { profileName, of } = Object(value) as Readonly<Record<string, unknown>>;
  return typeof profileName === 'string' && typeof of === 'function';
}

type Given = Readonly<Record<string, unknown>>;

/**
 * Refuses options of a handler that do not exist or cannot be used, and a handler that anybody may call.
 *
 * @throws {ServerOptionInvalidError}
 */
export function checkHandlerOptions(caller: string, options: unknown): void {
  const given = checkNames(caller, 'the options', options, HANDLER_OPTIONS);
  checkShared(caller, given);
  if (given['authenticate'] === undefined && given['token'] === undefined) {
    const cure = 'Pass authenticate, a function that returns the user id of a request, or a token.';
    throw new ServerOptionInvalidError(caller, 'nothing says who may call', cure);
  }
}

/**
 * Refuses options of `serve` that do not exist or cannot be used, and a server that others reach and anybody may use.
 *
 * @throws {ServerOptionInvalidError}
 */
export function checkServeOptions(options: unknown): void {
  const caller = 'serve';
  const given = checkNames(caller, 'the options', options, SERVE_OPTIONS);
  checkShared(caller, given);
  const { port, host, a2a, dangerouslyAllowUnauthenticatedRemote: isAllowed } = given;
  const isPort = Number.isInteger(port) && Number(port) >= 0 && Number(port) < 65_536;
  if (port !== undefined && !isPort) refuse(caller, `port is ${shown(port)}`, 'Pass a port from 0 to 65535.');
  if (host !== undefined && typeof host !== 'string')
    refuse(caller, `host is ${kindOf(host)}`, 'Pass an address.');
  if (a2a !== undefined && typeof a2a !== 'boolean' && typeof a2a !== 'function')
    refuse(
      caller,
      `a2a is ${shown(a2a)}`,
      'Pass true, or a function that makes the handler of an application.',
    );
  if (isAllowed !== undefined && typeof isAllowed !== 'boolean')
    refuse(caller, `dangerouslyAllowUnauthenticatedRemote is ${kindOf(isAllowed)}`, 'Pass true or false.');
  if (host === undefined || isLoopback(host) || isAllowed === true) return;
  if (given['authenticate'] === undefined && given['token'] === undefined)
    refuse(
      caller,
      `host is "${host}", so others can reach the server, and there is no authenticate`,
      'Pass a function that returns the user id of a request, or a token, or leave host out.',
    );
}

function checkShared(caller: string, given: Given): void {
  const { authenticate, token, signIn, basePath, allowedHosts, allowedOrigins } = given;
  const { limits, reconnectGrace, recover, heartbeatMs, runner, inboxWebhook } = given;
  const found = invalidOption(given, RULES);
  if (found !== undefined) refuse(caller, found.fault, found.cure);
  if (runner !== undefined) checkRunnerOptions(`${caller}, runner`, runner);
  if (authenticate !== undefined && typeof authenticate !== 'function')
    refuse(caller, `authenticate is ${kindOf(authenticate)}`, 'Pass a function of the request.');
  // An error does not show a secret.
  if (inboxWebhook !== undefined && !isSecret((inboxWebhook as InboxWebhookOptions).secret))
    refuse(
      caller,
      'inboxWebhook.secret cannot be used',
      'Pass whsec_ and base64 of 24 random bytes or more.',
    );
  if (token !== undefined && !(typeof token === 'string' && token.length >= 16))
    refuse(caller, 'token is no text of at least 16 characters', 'Pass a random one, or leave it out.');
  if (authenticate !== undefined && token !== undefined)
    refuse(caller, 'it has authenticate and a token', 'Leave the token out: authenticate decides alone.');
  if (signIn !== undefined && !isOwnPath(signIn))
    refuse(
      caller,
      `signIn is ${shown(signIn)}`,
      'Pass the path of a page of the application, such as "/login".',
    );
  if (signIn !== undefined && authenticate === undefined)
    refuse(caller, 'it has signIn and no authenticate', 'Pass authenticate, which says who has signed in.');
  if (basePath !== undefined && !(typeof basePath === 'string' && basePath.startsWith('/')))
    refuse(caller, `basePath is ${shown(basePath)}`, 'Pass a path that starts with "/".');
  if (allowedHosts !== undefined && allowedHosts !== 'any' && !isTexts(allowedHosts))
    refuse(
      caller,
      `allowedHosts is ${shown(allowedHosts)}`,
      "Pass names, such as ['app.example.com'], or 'any'.",
    );
  if (allowedOrigins !== undefined && !(isTexts(allowedOrigins) && allowedOrigins.every(isOrigin)))
    refuse(caller, 'allowedOrigins is no list of origins', "Pass such as ['https://app.example.com'].");
  if (limits !== undefined) {
    const counts = checkNames(caller, 'limits', limits, LIMITS);
    for (const [name, count] of Object.entries(counts))
      if (count !== undefined && !isPositive(count))
        refuse(caller, `limits.${name} is ${shown(count)}`, 'Pass a number above 0.');
  }
  if (
    reconnectGrace !== undefined &&
    reconnectGrace !== 'never' &&
    !(isPositive(reconnectGrace) || reconnectGrace === 0)
  )
    refuse(caller, `reconnectGrace is ${shown(reconnectGrace)}`, "Pass milliseconds, or 'never'.");
  if (recover !== undefined && recover !== false) {
    const counts = checkNames(caller, 'recover', recover, SWEEP);
    for (const [name, count] of Object.entries(counts))
      if (count !== undefined && !isPositive(count))
        refuse(caller, `recover.${name} is ${shown(count)}`, 'Pass a number above 0.');
  }
  if (heartbeatMs !== undefined && !isPositive(heartbeatMs))
    refuse(caller, `heartbeatMs is ${shown(heartbeatMs)}`, 'Pass milliseconds above 0.');
}

function checkNames(caller: string, what: string, given: unknown, names: ReadonlySet<string>): Given {
  if (kindOf(given) !== 'an object') refuse(caller, `${what} is ${kindOf(given)}`, 'Pass an object.');
  const unknown = unknownOption(given as object, names);
  if (unknown !== undefined) refuse(caller, unknown.fault, unknown.cure);
  return given as Given;
}

function refuse(caller: string, fault: string, cure: string): never {
  throw new ServerOptionInvalidError(caller, fault, cure);
}

function isWebUrl(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

function isSecret(value: string): boolean {
  if (!/^whsec_[A-Za-z0-9+/]+=*$/.test(value)) return false;
  return Buffer.from(value.slice('whsec_'.length), 'base64').byteLength >= 24;
}

/** A path that leads to the same origin, as it is written. */
function isOwnPath(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('/') && pathOnOrigin(value) === value;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && value > 0;
}

function shown(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? JSON.stringify(value) : kindOf(value);
}
