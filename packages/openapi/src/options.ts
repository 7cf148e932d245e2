import type { Arguments, Asked, Awaitable, ListingOptions } from '@adorn/core';
import { kindOf, optionNames, unknownOption } from '@adorn/core/backend';

import type { OperationInfo } from './document/operation.js';
import { OpenApiOptionError } from './errors.js';
import type { AuthOptions } from './security/operation-auth.js';

/** Whether calls wait for a person: all, none, or as a function decides for each call. */
export type ConfirmOption = boolean | ((operation: OperationInfo, args: Arguments) => Awaitable<Asked>);

/** The options of `openApiToolset`. */
export interface OpenApiToolsetOptions {
  /**
   * The address of the API, in place of the document's servers. Needed where the document was read from a URL and names a
   * server of another origin. An address on this machine, or a private IP address, is allowed by being stated here.
   */
  readonly baseUrl?: string;
  /** Values of the variables in the document's server URLs, by name. Default: the document's defaults. */
  readonly serverVariables?: Readonly<Record<string, string>>;
  /**
   * What the application brings for the document's security schemes, by their names: a credential, or the client or account
   * by which credentials are obtained. Or one AuthConfig for all operations. Default: users are asked for credentials.
   */
  readonly auth?: AuthOptions;
  /** Which operations become tools: their ids or the names of their tools, or a function. Default: all. */
  readonly only?: readonly string[] | ((operation: OperationInfo) => boolean);
  /** Put before the name of each tool, with an underscore between. */
  readonly prefix?: string;
  /** Whether calls wait for a person. Default: those of DELETE operations. */
  readonly confirm?: ConfirmOption;
  /** Milliseconds that a call may take. Default: 30,000. */
  readonly timeout?: number;
  /** The largest response that is read, in bytes. Default: 10,485,760. */
  readonly maxBytes?: number;
  /** The largest document that is read, in bytes, each file of it counted. Default: 10,485,760. */
  readonly maxDocumentBytes?: number;
  /** Hosts that may have private or loopback addresses: see `guardedFetch`. Default: none. */
  readonly privateHosts?: readonly string[];
  /** True if the API's results hold text that others wrote: see the trait `untrusted` of a tool. Default: false. */
  readonly untrusted?: boolean;
  /** How the tools are listed. Default: `{ required: true }`, a run fails if the document cannot be read. */
  readonly listing?: ListingOptions;
}

const OPTIONS = optionNames<OpenApiToolsetOptions>({
  auth: true,
  baseUrl: true,
  confirm: true,
  listing: true,
  maxBytes: true,
  maxDocumentBytes: true,
  only: true,
  prefix: true,
  privateHosts: true,
  serverVariables: true,
  timeout: true,
  untrusted: true,
});

/** @throws {OpenApiOptionError} */
export function checkOptions(options: unknown): asserts options is OpenApiToolsetOptions {
  if (!isRecord(options))
    throw new OpenApiOptionError(`its options are ${kindOf(options)}`, 'Pass an object.');
  const unknown = unknownOption(options, OPTIONS);
  if (unknown !== undefined) throw new OpenApiOptionError(unknown.fault, unknown.cure);
  const given: Readonly<Partial<Record<keyof OpenApiToolsetOptions, unknown>>> = options;
  checkBaseUrl(given.baseUrl);
  check(given, 'auth', isRecord, "an object, such as { apiKey: { credential: { type: 'apiKey', apiKey } } }");
  check(given, 'serverVariables', isTexts, "texts by name, such as { region: 'eu' }");
  check(given, 'only', isChoice, 'a list of operation ids, or a function');
  check(given, 'prefix', isPrefix, 'up to 30 letters, digits and underscores that begin with a letter');
  check(
    given,
    'confirm',
    (value) => ['boolean', 'function'].includes(typeof value),
    'true, false or a function',
  );
  check(given, 'timeout', isLimit, 'a number of milliseconds above 0');
  check(given, 'maxBytes', isLimit, 'a number of bytes above 0');
  check(given, 'maxDocumentBytes', isLimit, 'a number of bytes above 0');
  check(given, 'untrusted', (value) => typeof value === 'boolean', 'true or false');
}

function check(
  given: Readonly<Partial<Record<keyof OpenApiToolsetOptions, unknown>>>,
  name: keyof OpenApiToolsetOptions,
  isValid: (value: unknown) => boolean,
  valid: string,
): void {
  const value = given[name];
  if (value === undefined || isValid(value)) return;
  const shown = typeof value === 'number' ? String(value) : kindOf(value);
  throw new OpenApiOptionError(`${name} is ${shown}`, `Pass ${valid}.`);
}

function checkBaseUrl(baseUrl: unknown): void {
  if (baseUrl === undefined) return;
  const cure = "Pass an http URL, such as 'https://api.example.com/v1'.";
  if (typeof baseUrl !== 'string') throw new OpenApiOptionError(`baseUrl is ${kindOf(baseUrl)}`, cure);
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new OpenApiOptionError('baseUrl is not an http URL', cure);
  const { username, password, search, hash } = new URL(baseUrl);
  if (username !== '' || password !== '')
    throw new OpenApiOptionError('baseUrl holds a user or a password', 'Pass credentials as auth.');
  if (search !== '' || hash !== '') throw new OpenApiOptionError('baseUrl has a query or a fragment', cure);
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((text) => typeof text === 'string');
}

function isChoice(value: unknown): boolean {
  if (typeof value === 'function') return true;
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

function isPrefix(value: unknown): boolean {
  return typeof value === 'string' && /^[A-Za-z][A-Za-z0-9_]{0,29}$/.test(value);
}

function isLimit(value: unknown): boolean {
  return typeof value === 'number' && value > 0;
}
