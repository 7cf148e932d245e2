import { Command } from 'commander';

import { printable } from '../terminal/printable.js';
import { loadRunner, type LoadOptions } from './load-runner.js';

interface UndoCommandOptions extends LoadOptions {
  readonly user: string;
  readonly session: string;
  readonly by?: string;
  readonly call?: readonly string[];
  readonly json?: boolean;
}

/**
 * `adorn undo`: undoes what the tools of a run have done. The exit code is 1 if a call is not undone.
 *
 * @param bin the URL of the command
 */
export function undoCommand(bin: string): Command {
  return new Command('undo')
    .description('undo what the tools of a run have done, the last call first')
    .argument('<file>', 'a .js or .ts file that exports an agent or a runner, or a folder that holds one')
    .argument('<invocation>', 'the id of the run')
    .requiredOption('--session <id>', 'the conversation of the run')
    .option('--user <id>', 'the id of the user', 'user')
    .option('--by <id>', 'who undoes (default: the user)')
    .option('--call <id...>', 'undo only these calls')
    .option('--store <url>', 'the store of conversations: a SQLite file or postgres://…')
    .option('--app <name>', "the application's name (default: the agent's)")
    .option('--json', 'print the report as JSON')
    .action((file: string, invocation: string, options: UndoCommandOptions) =>
      undo(file, bin, { invocation, options }),
    );
}

interface Wanted {
  readonly invocation: string;
  readonly options: UndoCommandOptions;
}

async function undo(file: string, bin: string, { invocation, options }: Wanted): Promise<void> {
  const { user: userId, session: sessionId, by, call: calls, json } = options;
  await using runner = await loadRunner(file, bin, options);
  const { undo: report, pending } = await runner.undo({
    userId,
    sessionId,
    invocationId: invocation,
    by,
    calls,
  });
  if (report?.isComplete !== true) process.exitCode = 1;
  if (json === true) {
    console.log(JSON.stringify(report, undefined, 2));
    return;
  }
  for (const { id, tool, outcome, reason } of report?.calls ?? [])
    console.log(printable([tool, id, outcome, ...(reason === undefined ? [] : [reason])].join('  ')));
  for (const { id, tool, hint = '' } of pending) console.log(printable(`waits: ${tool}  ${id}  ${hint}`));
}
