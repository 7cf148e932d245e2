import { Command } from 'commander';

import { buildCommand } from './commands/build.command.js';
import { checkCommand } from './commands/check.command.js';
import { evalCommand } from './commands/eval.command.js';
import { evidenceCommand } from './commands/evidence.command.js';
import { explainCommand } from './commands/explain.command.js';
import { graphCommand } from './commands/graph.command.js';
import { inboxCommand } from './commands/inbox.command.js';
import { liveCommand } from './commands/live.command.js';
import { mcpCommand } from './commands/mcp.command.js';
import { migrateCommand } from './commands/migrate.command.js';
import { newCommand } from './commands/new.command.js';
import { runCommand } from './commands/run.command.js';
import { schedulesCommand } from './commands/schedules.command.js';
import { sessionsCommand } from './commands/sessions.command.js';
import { skillsCommand } from './commands/skills.command.js';
import { undoCommand } from './commands/undo.command.js';
import { versionCommand } from './commands/version.command.js';
import { webCommand } from './commands/web.command.js';
import { workerCommand } from './commands/worker.command.js';

/** The version of the command, and the file that was started. */
export interface ProgramFacts {
  readonly version: string;
  /** The URL of the file that was started. */
  readonly bin: string;
}

/** The `adorn` command with all its subcommands. */
export function createProgram({ version, bin }: ProgramFacts): Command {
  const program = new Command('adorn')
    .description('Create, run, build and check agents.')
    .version(version)
    .option('--verbose', 'show where an error was thrown')
    .showHelpAfterError('(adorn --help, and adorn <command> --help, say more)');
  const commands = [
    newCommand(),
    runCommand(bin),
    liveCommand(bin),
    webCommand(bin),
    evidenceCommand(bin),
    explainCommand(bin),
    graphCommand(bin),
    buildCommand(),
    checkCommand(),
    evalCommand(bin),
    inboxCommand(bin),
    mcpCommand(bin),
    migrateCommand(),
    workerCommand(bin),
    schedulesCommand(bin),
    sessionsCommand(bin),
    skillsCommand(),
    undoCommand(bin),
    versionCommand(version),
  ];
  for (const command of commands) {
    program.addCommand(command.copyInheritedSettings(program));
  }
  return program;
}
