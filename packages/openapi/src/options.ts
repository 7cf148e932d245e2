import type { ToolContext } from '@adorn/core';
import {
  checkListing,
  kindOf,
  optionNames,
  TEXTS,
  unknownOption,
  type ApproverFacts,
  type ApproverRule,
  type Arguments,
  type Asked,
  type Awaitable,
  type ListingOptions,
  type ToolTraits,
} from '@adorn/core/backend';
import { toolOptionsFault } from '@adorn/core/compiler';

import type { OperationInfo } from './document/operation.js';
import { NOT_PARAMETERS } from './document/read-parameters.js';
import { OpenApiOptionError } from './errors.js';
import type { OperationChoice } from './operation-choice.js';
import type { OperationResult } from './request/read-response.js';
import type { AuthOptions } from './security/operation-auth.js';

/**
 * Whether calls wait for a person: all, none, those of the operations with these ids or names of tools, or as a function decides
 * for each call.
 */
export type ConfirmOption =
  boolean | readonly string[] | ((operation: OperationInfo, args: Arguments) => Awaitable<Asked>);

/**
 * Who may answer the confirmations of calls: a rule for all operations, or as a function decides for each call. It gets what
 * `confirm` gets, and then who began the run.
 */
export type ApproversOption =
  | ApproverRule
  | ((operation: OperationInfo, args: Arguments, facts: ApproverFacts) => Awaitable<ApproverRule>);

/** A request before it is sent. Within the origin of the API, a hook may change all but the method. */
export interface OperationRequest {
  readonly method: string;
  url: URL;
  /** With the credentials and cookies of the call. */
  readonly headers: Headers;
  body: string | Uint8Array | undefined;
}

/**
 * Functions around each request of an operation: with `retry`, around each attempt. They see the credentials of the call. An
 * error that a hook throws fails the attempt; of a `ToolError` the model reads the message, and a final one is not repeated.
 */
export interface OperationHooks {
  /** Called before a request is sent, after its credentials were added: to sign or change it, or to refuse it by an error. */
  beforeRequest?(request: OperationRequest, operation: OperationInfo, context: ToolContext): Awaitable<void>;
  /**
   * Called with the result of a response, before the model reads it. What it returns is used in its place; undefined leaves
   * it. Not called after a response 401 that refuses a credential, nor where no response came.
   */
  afterResponse?(
    result: OperationResult,
    operation: OperationInfo,
    context: ToolContext,
  ): Awaitable<OperationResult | undefined>;
}

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
  /**
   * Headers of every call, by name, such as a tenant or a version. Parameters of these names are no arguments. They are sent to
   * the API alone: not with the document's request, and not to another origin by a redirect. Default: none.
   */
  readonly headers?: Readonly<Record<string, string>>;
  /** Functions around each request. Default: none. */
  readonly hooks?: OperationHooks;
  /** Which operations become tools: their ids or the names of their tools, or a function. Default: all. */
  readonly only?: OperationChoice;
  /** Which operations become no tools, among those of `only`: their ids or the names of their tools, or a function. Default: none. */
  readonly except?: OperationChoice;
  /** Put before the name of each tool, with an underscore between. */
  readonly prefix?: string;
  /**
   * The calls that a person must confirm: `true` for all, `false` for none, a list for its operations besides those of DELETE, or a
   * function that decides about each call. Default: those of DELETE operations.
   */
  readonly confirm?: ConfirmOption;
  /**
   * Who may answer the confirmations of calls, as the option `approvers` of a tool: the `requester`, `others`, somebody with a role,
   * or what a function returns. If others are named, each call asks unless `confirm` is set. Default: the requester, and whom the
   * application names by `by` in the same process.
   */
  readonly approvers?: ApproversOption;
  /**
   * Repeats requests of operations that read, as the option `retry` of a tool: those without a response in time, and those with the
   * status 408, 425, 429, 500, 502, 503 or 504, after `Retry-After` if that is no longer than `maxDelayMs`. The status of the
   * last attempt is the result. With `unsafe: true`, operations that write are repeated, too. Default: no retry.
   */
  readonly retry?: ToolTraits['retry'];
  /** Milliseconds that a call may take; with `retry`, each attempt. Default: 30,000. */
  readonly timeout?: number;
  /** The largest response that is read, in bytes. Default: 10,485,760. */
  readonly maxBytes?: number;
  /** The largest document that is read, in bytes, each file of it counted. Default: 10,485,760. */
  readonly maxDocumentBytes?: number;
  /** Hosts that may have private or loopback addresses: see `guardedFetch`. Default: none. */
  readonly privateHosts?: readonly string[];
  /** True if the API's results hold text that others wrote: see the trait `untrusted` of a tool. Default: false. */
  readonly untrusted?: boolean;
  /** True if the API's results hold values that must not leave: see the option `confidential` of a tool. Default: false. */
  readonly confidential?: boolean;
  /** True if the API belongs to others: see the option `outside` of a tool. Default: false. */
  readonly outside?: boolean;
  /** How the tools are listed. Default: `{ required: true }`, a run fails if the document cannot be read. */
  readonly listing?: ListingOptions;
}

const OPTIONS = optionNames<OpenApiToolsetOptions>({
  approvers: true,
  auth: true,
  baseUrl: true,
  confidential: true,
  confirm: true,
  except: true,
  headers: true,
  hooks: true,
  listing: true,
  maxBytes: true,
  maxDocumentBytes: true,
  only: true,
  outside: true,
  prefix: true,
  privateHosts: true,
  retry: true,
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
  check(given, 'headers', isTexts, "texts by name, such as { 'X-Tenant': 'acme' }");
  checkHeaders(given.headers as Readonly<Record<string, string>> | undefined);
  checkHooks(given.hooks);
  for (const name of ['only', 'except'] as const)
    check(given, name, isChoice, 'a list of operation ids, or a function');
  check(given, 'prefix', isPrefix, 'up to 30 letters, digits and underscores that begin with a letter');
  check(
    given,
    'confirm',
    (value) => typeof value === 'boolean' || isChoice(value),
    'true, false, a list of operation ids, or a function',
  );
  checkToolOption({ approvers: given.approvers });
  checkToolOption({ retry: given.retry, effect: 'read' });
  check(given, 'timeout', isLimit, 'a number of milliseconds above 0');
  check(given, 'maxBytes', isLimit, 'a number of bytes above 0');
  check(given, 'maxDocumentBytes', isLimit, 'a number of bytes above 0');
  check(given, 'privateHosts', TEXTS.isValid, "a list of hosts, such as ['localhost:8080']");
  checkListing('openApiToolset', given.listing);
  for (const name of ['untrusted', 'confidential', 'outside'] as const)
    check(given, name, (value) => typeof value === 'boolean', 'true or false');
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

/** Checks an option as the one of a tool that it becomes. */
function checkToolOption(option: Parameters<typeof toolOptionsFault>[0]): void {
  const found = toolOptionsFault(option);
  if (found !== undefined) throw new OpenApiOptionError(found.fault, found.cure);
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

function checkHeaders(headers: Readonly<Record<string, string>> = {}): void {
  const framing = Object.keys(headers).find(
    (name) => NOT_PARAMETERS.has(name.toLowerCase()) && name.toLowerCase() !== 'accept',
  );
  if (framing !== undefined)
    throw new OpenApiOptionError(
      `headers holds ${framing}`,
      'Pass credentials as auth; headers that frame a request are written by Adorn.',
    );
  try {
    new Headers(headers);
  } catch {
    // The error of `Headers` would quote the value.
    throw new OpenApiOptionError('headers holds a name or a value that is not valid', 'Pass ASCII texts.');
  }
}

const HOOKS = optionNames<OperationHooks>({ afterResponse: true, beforeRequest: true });

function checkHooks(hooks: unknown): void {
  if (hooks === undefined) return;
  if (!isRecord(hooks)) throw new OpenApiOptionError(`hooks is ${kindOf(hooks)}`, 'Pass an object.');
  const unknown = unknownOption(hooks, HOOKS);
  if (unknown !== undefined) throw new OpenApiOptionError(`hooks: ${unknown.fault}`, unknown.cure);
  for (const [name, hook] of Object.entries(hooks) as [string, unknown][])
    if (hook !== undefined && typeof hook !== 'function')
      throw new OpenApiOptionError(`hooks.${name} is ${kindOf(hook)}`, 'Pass a function.');
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((text) => typeof text === 'string');
}

function isChoice(value: unknown): boolean {
  return typeof value === 'function' || TEXTS.isValid(value);
}

function isPrefix(value: unknown): boolean {
  return typeof value === 'string' && /^[A-Za-z][A-Za-z0-9_]{0,29}$/.test(value);
}

function isLimit(value: unknown): boolean {
  return typeof value === 'number' && value > 0;
}
