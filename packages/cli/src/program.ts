import { Command } from 'commander';

import { buildCommand } from './commands/build.command.js';
import { checkCommand } from './commands/check.command.js';
import { completionCommand } from './commands/completion.command.js';
import { doctorCommand } from './commands/doctor.command.js';
import { evalCommand } from './commands/eval.command.js';
import { effectsCommand } from './commands/effects.command.js';
import { evidenceCommand } from './commands/evidence.command.js';
import { explainCommand } from './commands/explain.command.js';
import { graphCommand } from './commands/graph.command.js';
import { inboxCommand } from './commands/inbox.command.js';
import { liveCommand } from './commands/live.command.js';
import { mcpCommand } from './commands/mcp.command.js';
import { migrateCommand } from './commands/migrate.command.js';
import { newCommand } from './commands/new.command.js';
import { recordCommand } from './commands/record.command.js';
import { replayCommand } from './commands/replay.command.js';
import { runCommand } from './commands/run.command.js';
import { schedulesCommand } from './commands/schedules.command.js';
import { sessionsCommand } from './commands/sessions.command.js';
import { skillsCommand } from './commands/skills.command.js';
import { undoCommand } from './commands/undo.command.js';
import { versionCommand } from './commands/version.command.js';
import { webCommand } from './commands/web.command.js';
import { workerCommand } from './commands/worker.command.js';
import type { CommandContext, Declaration } from './command/declaration.js';
import { configured, toCommander } from './command/to-commander.js';

/** All commands, by what they are for. */
export const COMMANDS: Readonly<Record<string, readonly Declaration[]>> = {
  'Begin and talk': [newCommand, runCommand, liveCommand, webCommand],
  'Understand an application': [explainCommand, graphCommand, checkCommand, schedulesCommand, skillsCommand],
  'Build and test': [buildCommand, evalCommand, recordCommand, replayCommand, mcpCommand],
  'Look after what is stored': [
    sessionsCommand,
    inboxCommand,
    undoCommand,
    effectsCommand,
    evidenceCommand,
    migrateCommand,
  ],
  Operate: [workerCommand, doctorCommand, completionCommand, versionCommand],
};

/** The version of the command, and the file that was started. */
export type ProgramFacts = Pick<CommandContext, 'bin' | 'version'>;

/** What the program of a command line is created with. */
type ProgramContext = ProgramFacts & Pick<CommandContext, 'goesOn'>;

/** The `adorn` command with all its subcommands. */
export function createProgram(facts: ProgramContext): Command {
  const context: CommandContext = { ...facts, output: process.stdout, errors: process.stderr };
  const program = configured(new Command('adorn'))
    .description('Create, run, build and check agents.')
    .version(facts.version)
    .option('--verbose', 'show where an error was thrown');
  for (const [heading, declarations] of Object.entries(COMMANDS)) {
    program.commandsGroup(`${heading}:`);
    for (const declared of declarations) program.addCommand(toCommander(declared, context));
  }
  return program.helpCommand('help [command]', 'print the help of a command');
}
