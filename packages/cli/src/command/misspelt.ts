import { existsSync } from 'node:fs';

import { nearestNames } from '@adorn/core/backend';
import type { Command, CommanderError } from 'commander';

import { UsageError } from '../usage.error.js';
import type { Declaration } from './declaration.js';
import { longFlag } from './option-flags.js';

/** Commands of other kits, with what to write here. */
const COMMANDS_ELSEWHERE: Readonly<Record<string, string>> = {
  api_server: 'adorn web',
  create: 'adorn new',
  deploy: 'node build/main.js, or adorn worker: an application is an ordinary program',
  dev: 'adorn web --watch',
  init: 'adorn new .',
  lint: 'adorn check',
  optimize: 'adorn eval --baseline',
  playground: 'adorn web',
  start: 'adorn run, or adorn web',
  studio: 'adorn web',
  test: 'adorn eval, or npm test',
  traces: 'adorn web --otlp',
};

/** Our words for what commander has found. Help that was asked for stays as it is. */
export function asUsageError(
  error: CommanderError,
  command: Command,
  declared: Declaration | undefined,
): Error {
  const isHelp = ['commander.help', 'commander.helpDisplayed', 'commander.version'].includes(error.code);
  if (isHelp) return error;
  const path = pathOf(command);
  const said = sentenceOf(error, command, declared) ?? plainWords(error.message);
  return new UsageError(`${said} "${path} --help" says more.`, { cause: error });
}

function sentenceOf(
  { code, message }: CommanderError,
  command: Command,
  declared: Declaration | undefined,
): string | undefined {
  const path = pathOf(command);
  const [name = '', other = ''] = quotedIn(message);
  switch (code) {
    case 'commander.unknownOption':
      return unknownOption(name, command, declared);
    case 'commander.unknownCommand':
      return unknownCommand(name, command);
    case 'commander.missingArgument':
      return `${path} needs the argument <${name}>.`;
    case 'commander.missingMandatoryOptionValue':
      return `${path} needs ${name}.`;
    case 'commander.optionMissingArgument':
      return `There is no value: write ${name}.`;
    case 'commander.conflictingOption':
      return `${name} and ${other} exclude each other. Pass one of them.`;
    case 'commander.excessArguments':
      return `There are too many arguments: ${command.args.join(' ')}.`;
    default:
      return undefined;
  }
}

function unknownOption(given: string, command: Command, declared: Declaration | undefined): string {
  const [flag = given] = given.split('=');
  const said = `${pathOf(command)} has no option ${flag}.`;
  const known = declared?.kind === 'command' ? Object.entries(declared.options) : [];
  const flags = [...known.map(([name, parameter]) => longFlag(name, parameter)), '--verbose', '--help'];
  const elsewhere = declared?.kind === 'command' ? declared.elsewhere : undefined;
  const ours = elsewhere?.[flag.replace(/^-+/, '').replaceAll('_', '-')];
  if (ours !== undefined) return `${said} Write ${ours}.`;
  const dashed = flag.replaceAll('_', '-');
  if (flags.includes(dashed)) return `${said} Write ${dashed}.`;
  return `${said}${didYouMean(flag, new Map(flags.map((name) => [name, name])))}`;
}

function unknownCommand(given: string, command: Command): string {
  const path = pathOf(command);
  const said = `${path} has no command ${given}.`;
  if (command.parent === null) {
    const ours = Object.hasOwn(COMMANDS_ELSEWHERE, given) ? COMMANDS_ELSEWHERE[given] : undefined;
    if (ours !== undefined) return `${said} Write ${ours}.`;
    if (existsSync(given)) return `${said} To talk to the agent of ${given}, write adorn run ${given}.`;
  }
  return `${said}${didYouMean(given, namesBelow(command))}`;
}

/** The names of the commands, and `sessions show` for one of a group. */
function namesBelow(command: Command): Map<string, string> {
  const names = new Map<string, string>();
  for (const group of command.commands) {
    for (const one of group.commands) names.set(one.name(), `${group.name()} ${one.name()}`);
  }
  for (const one of command.commands) names.set(one.name(), one.name());
  return names;
}

/** @param names what can be written, with how it is shown */
function didYouMean(given: string, names: ReadonlyMap<string, string>): string {
  const [nearest] = nearestNames(given, names.keys());
  return nearest === undefined ? '' : ` Did you mean ${names.get(nearest) ?? nearest}?`;
}

/** `adorn sessions list` */
function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** What commander has put between apostrophes, such as `--x <y>`. */
function quotedIn(message: string): string[] {
  return [...message.matchAll(/'([^']*)'/g)].map(([, quoted = '']) => quoted);
}

function plainWords(message: string): string {
  const words = message.replace(/^error: /, '');
  return words.endsWith('.') ? words : `${words}.`;
}
