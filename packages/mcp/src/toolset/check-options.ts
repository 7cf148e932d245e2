import {
  type ApproverRule,
  BOOLEAN,
  checkListing,
  invalidOption,
  LIMIT,
  OBJECT,
  secret,
  isSecretName,
  isToolName,
  kindOf,
  type OptionFault,
  optionNames,
  suggestName,
  unknownOption,
  type ToolEffect,
  isLoopback,
} from '@adorn/core/backend';
import { toolOptionsFault } from '@adorn/core/compiler';

import { McpConfigInvalidError } from '../errors.js';
import type {
  HttpServer,
  HttpToolsetOptions,
  McpToolOptions,
  StdioServer,
  StdioToolsetOptions,
} from './mcp-toolset-options.js';

const CALLER = 'mcpToolset';

const TOOL_OPTIONS: Readonly<Record<keyof McpToolOptions, true>> = {
  name: true,
  only: true,
  except: true,
  prefix: true,
  confirm: true,
  approvers: true,
  effects: true,
  timeout: true,
  definitions: true,
  elicitation: true,
  sampling: true,
  roots: true,
  ui: true,
  maxMessageBytes: true,
  listing: true,
  untrusted: true,
  confidential: true,
  outside: true,
  maxResultBytes: true,
};
const STDIO = optionNames<StdioServer & McpToolOptions>({
  command: true,
  args: true,
  env: true,
  cwd: true,
  ...TOOL_OPTIONS,
});
const HTTP = optionNames<HttpServer & McpToolOptions>({
  url: true,
  headers: true,
  auth: true,
  ...TOOL_OPTIONS,
});

/**
 * Refuses options of a toolset that do not exist, or have a value that cannot be used.
 *
 * @throws {McpConfigInvalidError}
 */
export function checkToolsetOptions(given: unknown): void {
  if (!isRecord(given)) refuse(`the options are ${kindOf(given)}`, 'Pass { command, args } or { url }.');
  const hasCommand = given['command'] !== undefined;
  if (hasCommand === (given['url'] !== undefined))
    refuse(
      hasCommand ? 'it has a command and a url' : 'it has neither a command nor a url',
      'Pass { command, args } for a server to start, or { url } for one that runs.',
    );
  refuseOption(unknownOption(given, hasCommand ? STDIO : HTTP));
  const found = invalidOption(given, {
    auth: secret(OBJECT),
    untrusted: BOOLEAN,
    confidential: BOOLEAN,
    outside: BOOLEAN,
    ui: BOOLEAN,
    maxResultBytes: LIMIT,
  });
  if (found !== undefined) refuse(found.fault, found.cure);
  checkListing(CALLER, given['listing']);
  if (hasCommand) checkStdio(given);
  else checkHttp(given);
  checkTools(given);
}

function checkStdio({ command, args, env, cwd }: Record<string, unknown>): void {
  if (!isText(command)) refuse(`command is ${shown(command)}`, 'Pass the name or path of an executable.');
  if (args !== undefined && !isTexts(args))
    refuse(`args is ${kindOf(args)}`, "Pass a list of strings, such as ['-y', 'some-server'].");
  if (env !== undefined && !isTextRecord(env))
    refuse(`env is ${kindOf(env)}, or a value in it is no string`, 'Pass strings by their names.');
  if (cwd !== undefined && !isText(cwd)) refuse(`cwd is ${shown(cwd)}`, 'Pass the path of a folder.');
}

function checkHttp({ url, headers, auth }: Record<string, unknown>): void {
  const parsed = parseUrl(url);
  if (parsed === undefined)
    refuse(
      `url is ${kindOf(url)} and not an http or https URL`,
      'Pass such as "https://mcp.example.com/mcp".',
    );
  if (parsed.username !== '' || parsed.password !== '')
    refuse('url holds a user name or password', 'Pass headers or auth instead.');
  if (auth !== undefined && !isPrivate(parsed))
    refuse('the credential of the user would be sent unencrypted', 'Use the https URL of the server.');
  if (headers === undefined) return;
  if (!isTextRecord(headers))
    refuse(`headers is ${kindOf(headers)}, or a value in it is no string`, 'Pass strings by their names.');
  const secret = Object.keys(headers).find((name) => SECRET_HEADER.test(name));
  if (secret !== undefined && !isPrivate(parsed))
    refuse(`the header ${secret} would be sent unencrypted`, 'Use the https URL of the server.');
}

const EFFECTS: ReadonlySet<string> = new Set<ToolEffect>(['read', 'write', 'destructive']);

/** Headers that hold credentials, by their names. */
const SECRET_HEADER = /^(authorization|cookie|proxy-authorization|x-api.*|x-auth.*)$/i;

/** The secrets in the options of a toolset: headers and variables of the environment with the names of credentials. */
export function secretsOf(options: HttpToolsetOptions | StdioToolsetOptions): string[] {
  const { headers = {}, env = {} } = options as {
    readonly headers?: Readonly<Record<string, string>>;
    readonly env?: Readonly<Record<string, string>>;
  };
  const named = Object.entries({ ...headers, ...env }).filter(
    ([name, value]) => value !== '' && (SECRET_HEADER.test(name) || isSecretName(name)),
  );
  return named.map(([, value]) => value.replace(/^(?:Bearer|Basic) /i, ''));
}

/** True if others cannot read the traffic: over https, or on this machine. */
export function isPrivate({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || isLoopback(hostname);
}

function checkTools(given: Record<string, unknown>): void {
  const { prefix, confirm, effects, timeout, definitions, elicitation, sampling, roots, maxMessageBytes } =
    given;
  checkApprovers(given['approvers']);
  if (given['name'] !== undefined && !isText(given['name']))
    refuse(`name is ${shown(given['name'])}`, 'Pass a name for messages, such as "github".');
  for (const option of ['only', 'except'] as const)
    if (given[option] !== undefined && !isTexts(given[option]))
      refuse(`${option} is ${kindOf(given[option])}`, "Pass names of tools, such as ['read_file'].");
  if (prefix !== undefined && !(isText(prefix) && isToolName(prefix) && prefix.length <= 32))
    refuse(`prefix is ${shown(prefix)}`, 'Pass 1 to 32 letters, digits, _ or -, the first a letter or _.');
  if (confirm !== undefined && !['boolean', 'function'].includes(typeof confirm) && !isTexts(confirm))
    refuse(`confirm is ${kindOf(confirm)}`, 'Pass true, false, names of tools, or a function.');
  if (effects !== undefined) checkEffects(effects);
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0))
    refuse(`timeout is ${shown(timeout)}`, 'Pass milliseconds above 0, or Infinity.');
  if (definitions !== undefined && !isTextRecord(definitions))
    refuse(`definitions is ${kindOf(definitions)}`, 'Pass what toolset.definitionDigests() returned.');
  if (roots !== undefined && !(isTexts(roots) && roots.every((root) => root.startsWith('file:'))))
    refuse(
      `roots is ${kindOf(roots)}, or holds something else than file URLs`,
      'Pass such as ["file:///srv/data"].',
    );
  if (elicitation !== undefined && !['boolean', 'function'].includes(typeof elicitation))
    refuse(`elicitation is ${kindOf(elicitation)}`, 'Pass true, false, or a function.');
  if (sampling !== undefined && typeof sampling !== 'boolean' && !isModel(sampling))
    refuse(`sampling is ${kindOf(sampling)}`, 'Pass true, false, or a Model.');
  if (
    maxMessageBytes !== undefined &&
    !(Number.isSafeInteger(maxMessageBytes) && Number(maxMessageBytes) > 0)
  )
    refuse(`maxMessageBytes is ${shown(maxMessageBytes)}`, 'Pass a whole number of bytes above 0.');
}

/** Checked as the option of a tool, except that a function would not know what the server asks about. */
function checkApprovers(approvers: unknown): void {
  if (approvers === undefined) return;
  if (typeof approvers === 'function')
    refuse('approvers is a function', "Pass a rule, such as 'requester' or { role: 'manager' }.");
  refuseOption(toolOptionsFault({ approvers: approvers as ApproverRule }));
}

function checkEffects(effects: unknown): void {
  if (!isRecord(effects)) refuse(`effects is ${kindOf(effects)}`, "Pass such as { read_file: 'read' }.");
  for (const [name, effect] of Object.entries(effects))
    if (!EFFECTS.has(effect as string))
      refuse(`effects.${name} is ${shown(effect)}`, suggestName(effect, EFFECTS));
}

function refuse(fault: string, cure: string): never {
  throw new McpConfigInvalidError(CALLER, fault, cure);
}

function refuseOption(unknown: OptionFault | undefined): void {
  if (unknown !== undefined) refuse(unknown.fault, unknown.cure);
}

function parseUrl(url: unknown): URL | undefined {
  if (!(url instanceof URL) && typeof url !== 'string') return undefined;
  try {
    const parsed = new URL(url);
    return parsed.protocol === 'http:' || parsed.protocol === 'https:' ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && !value.includes('\0');
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isTextRecord(value: unknown): value is Record<string, string> {
  return isRecord(value) && Object.values(value).every((one) => typeof one === 'string');
}

function isModel(value: unknown): boolean {
  return isRecord(value) && typeof value['generate'] === 'function';
}

function shown(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? JSON.stringify(value) : kindOf(value);
}
