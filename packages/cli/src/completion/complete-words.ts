import type { CommandDeclaration, Declaration } from '../command/declaration.js';
import { longFlag } from '../command/option-flags.js';
import type { Parameter } from '../command/parameter.js';

/** What a shell offers for the word at the cursor. */
export interface Completion {
  readonly words: readonly { readonly word: string; readonly description: string }[];
  /** True if paths are offered, too. */
  readonly files: boolean;
}

const NOTHING: Completion = { words: [], files: false };

/**
 * The completion of a command line.
 *
 * @param words those after `adorn`; the last one is at the cursor, and may be empty
 */
export function completeWords(declarations: readonly Declaration[], words: readonly string[]): Completion {
  const [name, ...rest] = words;
  if (name === undefined) return NOTHING;
  if (rest.length === 0) return named(declarations, name);
  const declared = declarations.find((one) => one.name === name);
  if (!declared) return NOTHING;
  if (declared.kind === 'command') return ofCommand(declared, rest);
  const [second = '', ...others] = rest;
  const command = declared.commands.find((one) => one.name === second);
  if (command && others.length > 0) return ofCommand(command, others);
  const byDefault = declared.commands.find((one) => one.name === declared.byDefault);
  const own = byDefault ? ofCommand(byDefault, rest) : NOTHING;
  if (rest.length > 1) return own;
  return { words: [...named(declared.commands, second).words, ...own.words], files: own.files };
}

function named(declarations: readonly Declaration[], begun: string): Completion {
  const words = declarations.map(({ name, summary }) => ({ word: name, description: summary }));
  return { words: words.filter(({ word }) => word.startsWith(begun)), files: false };
}

function ofCommand(command: CommandDeclaration, words: readonly string[]): Completion {
  const current = words.at(-1) ?? '';
  const [, flag = '', begun = ''] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
  if (flag !== '') return attached(flag, optionAt(command, flag), begun);
  const before = optionAt(command, words.at(-2) ?? '');
  if (before?.placeholder !== undefined) return valuesOf(before, current);
  if (current.startsWith('-')) return flagsOf(command, current);
  const parameters = Object.values(command.arguments);
  const place = argumentsIn(command, words.slice(0, -1));
  const parameter = parameters[Math.min(place, parameters.length - 1)];
  const isTaken = place >= parameters.length && !(parameter?.placeholder ?? '').includes('...');
  return parameter === undefined || isTaken ? NOTHING : valuesOf(parameter, current);
}

/** The values of an option that is written as `--format=json`. */
function attached(flag: string, option: Parameter | undefined, begun: string): Completion {
  const { words, files } = option?.placeholder === undefined ? NOTHING : valuesOf(option, begun);
  return { words: words.map((one) => ({ ...one, word: `${flag}=${one.word}` })), files };
}

function optionAt({ options }: CommandDeclaration, word: string): Parameter | undefined {
  return Object.entries(options).find(
    ([name, option]) =>
      word === longFlag(name, option) || (option.short !== undefined && word === `-${option.short}`),
  )?.[1];
}

/** How many arguments stand among the words, without options and their values. */
function argumentsIn(command: CommandDeclaration, words: readonly string[]): number {
  return words.filter((word, index) => {
    const before = index === 0 ? undefined : optionAt(command, words[index - 1] ?? '');
    return !word.startsWith('-') && before?.placeholder === undefined;
  }).length;
}

function valuesOf({ choices = [], completes }: Parameter, begun: string): Completion {
  const words = choices.filter((word) => word.startsWith(begun));
  return { words: words.map((word) => ({ word, description: '' })), files: completes === 'files' };
}

function flagsOf({ options }: CommandDeclaration, begun: string): Completion {
  const words = Object.entries(options).map(([name, option]) => ({
    word: longFlag(name, option),
    description: option.description,
  }));
  const all = [...words, { word: '--help', description: 'display help for command' }];
  return { words: all.filter(({ word }) => word.startsWith(begun)), files: false };
}

/** As the scripts of the shells read it: a line for each word, and `:files` if paths are offered. */
export function linesOfCompletion({ words, files }: Completion): string[] {
  const lines = words.map(({ word, description }) => `${word}\t${description}`);
  return files ? [...lines, ':files'] : lines;
}
