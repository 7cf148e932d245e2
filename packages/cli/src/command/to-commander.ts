import { existsSync } from 'node:fs';

import { nearestNames } from '@adorn/core/backend';
import { Argument, Command, type CommanderError, Option } from 'commander';

import { columnsOf } from '../terminal/columns.js';
import { UsageError } from '../usage.error.js';
import type { CommandContext, CommandDeclaration, Declaration, GroupDeclaration } from './declaration.js';
import { helpAfter, MIN_WIDTH, PLAIN_WIDTH } from './help-after.js';
import { asUsageError } from './misspelt.js';
import { longFlag, shownFlags } from './option-flags.js';
import { type Parameter, valueOf } from './parameter.js';

/** The command of commander that a declaration stands for. */
export function toCommander(declared: Declaration, context: CommandContext): Command {
  return declared.kind === 'command' ? commandOf(declared, context) : groupOf(declared, context);
}

/** Errors are thrown rather than printed, and help is as wide as the terminal. */
export function configured(command: Command, declared?: Declaration): Command {
  return command
    .configureHelp({ minWidthToWrap: MIN_WIDTH })
    .configureOutput({
      outputError: () => undefined,
      getOutHelpWidth: () => columnsOf(process.stdout) ?? PLAIN_WIDTH,
      getErrHelpWidth: () => columnsOf(process.stderr) ?? PLAIN_WIDTH,
    })
    .exitOverride((error: CommanderError) => {
      throw asUsageError(error, command, declared);
    });
}

function commandOf(declared: CommandDeclaration, context: CommandContext): Command {
  const command = configured(new Command(declared.name), declared).description(declared.summary);
  for (const [name, parameter] of Object.entries(declared.arguments)) {
    command.addArgument(argumentOf(name, parameter));
  }
  for (const [name, parameter] of Object.entries(declared.options)) {
    command.addOption(optionOf(name, parameter));
  }
  return command
    .addHelpText('after', () => helpAfter(declared, columnsOf(process.stdout)))
    .action(async (...given: unknown[]) => {
      const names = Object.keys(declared.arguments);
      const values = Object.fromEntries(names.map((name, index) => [name, given[index]]));
      await declared.run(
        { ...fallbacksOf(declared), ...values, ...command.opts<Record<string, unknown>>() } as never,
        context,
      );
    });
}

/** Of flags and lists: commander would show `false` and an empty list in help. */
function fallbacksOf({ options }: CommandDeclaration): Record<string, unknown> {
  const quiet = Object.entries(options).filter(
    ([, { isList = false, placeholder }]) => isList || placeholder === undefined,
  );
  return Object.fromEntries(quiet.map(([name, { fallback }]) => [name, fallback]));
}

function groupOf({ name, summary, commands, byDefault }: GroupDeclaration, context: CommandContext): Command {
  const group = configured(new Command(name)).description(summary);
  for (const declared of commands) {
    const isDefault = declared.name === byDefault;
    const command = commandOf(declared, context);
    if (isDefault) command.hook('preAction', () => refuseSlip(group, command));
    group.addCommand(command, { isDefault });
  }
  return group;
}

/** `adorn sessions shwo` would be `adorn sessions list shwo`: a file that is not there. */
function refuseSlip(group: Command, command: Command): void {
  const [given] = command.args;
  if (given === undefined || existsSync(given)) return;
  const [meant] = nearestNames(
    given,
    group.commands.map((one) => one.name()),
  );
  if (meant !== undefined)
    throw new UsageError(`adorn ${group.name()} has no command ${given}. Did you mean ${meant}?`);
}

function argumentOf(name: string, parameter: Parameter): Argument {
  const { placeholder = `<${name}>`, description, fallback, choices } = parameter;
  const argument = new Argument(placeholder, description).default(fallback);
  if (choices) argument.choices(choices);
  return argument.argParser((given: string, before: unknown) => {
    const value = valueOf(parameter, given, placeholder);
    if (!argument.variadic) return value;
    return before === fallback ? [value] : [...(before as unknown[]), value];
  });
}

function optionOf(name: string, parameter: Parameter): Option {
  const { description, fallback, choices, isRequired = false, conflicts = [], isList = false } = parameter;
  const option = new Option(shownFlags(name, parameter), description).conflicts([...conflicts]);
  if (parameter.placeholder === undefined) return option;
  if (choices) option.choices(choices);
  if (!isList && fallback !== undefined) option.default(fallback, JSON.stringify(fallback));
  return option.makeOptionMandatory(isRequired).argParser((given: string, before: unknown) => {
    const value = valueOf(parameter, given, longFlag(name, parameter));
    return isList ? [...((before as unknown[] | undefined) ?? []), value] : value;
  });
}
