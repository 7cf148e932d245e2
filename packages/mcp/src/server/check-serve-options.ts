import {
  BOOLEAN,
  checkRunnerOptions,
  invalidOption,
  kindOf,
  OBJECT,
  optionNames,
  type OptionRules,
  suggestName,
  TEXT,
  unknownOption,
} from '@adorn/core/backend';

import { McpConfigInvalidError } from '../errors.js';
import type { ServeEndpointOptions, ServeHttpOptions, ServeMcpOptions } from './serve-options.js';

const CALLER = 'serveMcp';

const OPTIONS = optionNames<ServeMcpOptions>({
  name: true,
  version: true,
  instructions: true,
  stdio: true,
  http: true,
  endpoint: true,
  userId: true,
  confirm: true,
  answerTimeout: true,
  stateKey: true,
  resources: true,
  prompts: true,
  runner: true,
  logger: true,
});
/** The options with one simple type each. */
const RULES = {
  name: TEXT,
  version: TEXT,
  instructions: TEXT,
  stdio: BOOLEAN,
  userId: TEXT,
  logger: OBJECT,
} as const satisfies Partial<OptionRules<ServeMcpOptions>>;
const ENDPOINT: Readonly<Record<keyof ServeEndpointOptions, true>> = {
  authenticate: true,
  allowedHosts: true,
  allowedOrigins: true,
  maxSessions: true,
  maxSessionsPerUser: true,
  sessionIdleMs: true,
  maxRequestBytes: true,
};
const ENDPOINT_OPTIONS = optionNames<ServeEndpointOptions>(ENDPOINT);
const HTTP_OPTIONS = optionNames<ServeHttpOptions>({ port: true, host: true, path: true, ...ENDPOINT });
const COUNTS = ['maxSessions', 'maxSessionsPerUser', 'sessionIdleMs', 'maxRequestBytes'];
const DECISIONS: ReadonlySet<string> = new Set(['elicit', 'refuse']);

/** The names and addresses of this machine. */
export const LOOPBACK: readonly string[] = ['127.0.0.1', 'localhost', '[::1]', '::1'];

/**
 * Refuses options of `serveMcp` that do not exist or cannot be used.
 *
 * @throws {McpConfigInvalidError}
 */
export function checkServeOptions(given: unknown): void {
  checkNames('the options', given, OPTIONS);
  const found = invalidOption(given, RULES);
  if (found !== undefined) refuse(found.fault, found.cure);
  const { http, endpoint, confirm, answerTimeout, stateKey, resources, prompts, runner } = given as Record<
    string,
    unknown
  >;
  if (confirm !== undefined && !DECISIONS.has(confirm as string))
    refuse(`confirm is ${shown(confirm)}`, suggestName(confirm, DECISIONS));
  if (answerTimeout !== undefined && !isPositive(answerTimeout))
    refuse(`answerTimeout is ${shown(answerTimeout)}`, 'Pass milliseconds above 0.');
  if (stateKey !== undefined && !isKey(stateKey))
    refuse('stateKey is no text and no bytes, or has fewer than 32 bytes', 'Pass at least 32 random bytes.');
  for (const [name, list] of [
    ['resources', resources],
    ['prompts', prompts],
  ])
    if (list !== undefined && !Array.isArray(list))
      refuse(`${String(name)} is ${kindOf(list)}`, 'Pass a list.');
  if (http !== undefined && endpoint !== undefined)
    refuse('it has http and an endpoint', 'Pass the options of the endpoint in http, or leave http out.');
  if (http !== undefined) checkHttp(http);
  if (runner !== undefined) checkRunnerOptions(`${CALLER}, runner`, runner);
  if (endpoint !== undefined) {
    checkNames('endpoint', endpoint, ENDPOINT_OPTIONS);
    checkEndpoint('endpoint', endpoint);
  }
}

function checkHttp(given: unknown): void {
  checkNames('http', given, HTTP_OPTIONS);
  const { host, port, path, authenticate } = given as Record<string, unknown>;
  if (port !== undefined && !(Number.isInteger(port) && Number(port) >= 0 && Number(port) < 65_536))
    refuse(`http.port is ${shown(port)}`, 'Pass a port from 0 to 65535.');
  if (path !== undefined && !(typeof path === 'string' && path.startsWith('/')))
    refuse(`http.path is ${shown(path)}`, 'Pass a path that starts with "/".');
  if (host !== undefined && typeof host !== 'string')
    refuse(`http.host is ${kindOf(host)}`, 'Pass an address.');
  if (host !== undefined && !LOOPBACK.includes(host) && authenticate === undefined)
    refuse(
      `http.host is "${host}", so others can reach the server, and there is no http.authenticate`,
      'Pass a function that returns the id of the user of a request, or leave host out.',
    );
  checkEndpoint('http', given);
}

function checkEndpoint(what: string, given: object): void {
  const { authenticate, allowedHosts, allowedOrigins, ...counts } = given as Record<string, unknown>;
  if (authenticate !== undefined && typeof authenticate !== 'function')
    refuse(`${what}.authenticate is ${kindOf(authenticate)}`, 'Pass a function of the request.');
  for (const [name, hosts] of Object.entries({ allowedHosts, allowedOrigins }))
    if (hosts !== undefined && !isTexts(hosts))
      refuse(`${what}.${name} is ${kindOf(hosts)}`, "Pass host names, such as ['mcp.example.com'].");
  const foreign = (allowedHosts as string[] | undefined)?.find((host) => !LOOPBACK.includes(host));
  if (foreign !== undefined && authenticate === undefined)
    refuse(
      `${what}.allowedHosts names "${foreign}", so others can reach the server, and there is no ${what}.authenticate`,
      'Pass a function that returns the id of the user of a request, or leave allowedHosts out.',
    );
  for (const name of COUNTS)
    if (counts[name] !== undefined && !isPositive(counts[name]))
      refuse(`${what}.${name} is ${shown(counts[name])}`, 'Pass a number above 0.');
}

function checkNames(what: string, given: unknown, names: ReadonlySet<string>): asserts given is object {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    refuse(`${what} is ${kindOf(given)}`, 'Pass an object.');
  const unknown = unknownOption(given, names);
  if (unknown !== undefined) refuse(unknown.fault, unknown.cure);
}

function refuse(fault: string, cure: string): never {
  throw new McpConfigInvalidError(CALLER, fault, cure);
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isKey(value: unknown): boolean {
  if (typeof value === 'string') return Buffer.byteLength(value) >= 32;
  return value instanceof Uint8Array && value.byteLength >= 32;
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && value > 0;
}

function shown(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? JSON.stringify(value) : kindOf(value);
}
