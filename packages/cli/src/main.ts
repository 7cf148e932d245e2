import { CommanderError } from 'commander';

import { closeRunners } from './application/close-on-signal.js';
import { WRONG_USE } from './command/exit-codes.js';
import { completeWords, linesOfCompletion } from './completion/complete-words.js';
import { COMMANDS, createProgram, type ProgramFacts } from './program.js';
import { reportFailure } from 'adorn/main';
import { endProcess } from './terminal/end-process.js';
import { endWithReader } from './terminal/end-with-reader.js';

/** What the `adorn` command tells `main`. */
export interface MainFacts extends ProgramFacts {
  /**
   * Ends the process when the command has ended, also if the application has left something open, such as a timer or a connection. A
   * command that serves goes on. Default: false.
   */
  readonly endsProcess?: boolean;
}

/** Runs a command line, or completes one for a shell; prints an error and sets the exit code if it fails. */
export async function main(
  argv: readonly string[],
  { endsProcess = false, ...facts }: MainFacts,
): Promise<void> {
  endWithReader(process.stdout, closeRunners);
  const isOver = await runLine(argv, facts);
  if (endsProcess && isOver) await endProcess();
}

/** @returns false if the command has left something running, such as a server */
async function runLine(argv: readonly string[], facts: ProgramFacts): Promise<boolean> {
  if (argv[2] === 'complete' && argv[3] === '--') {
    const completion = completeWords(Object.values(COMMANDS).flat(), argv.slice(4));
    for (const line of linesOfCompletion(completion)) process.stdout.write(`${line}\n`);
    return true;
  }
  let isOver = true;
  const goesOn = (): void => {
    isOver = false;
  };
  const program = createProgram({ ...facts, goesOn });
  try {
    await program.parseAsync([...argv]);
    return isOver;
  } catch (error) {
    if (error instanceof CommanderError) {
      // Help or a version was printed; help that nobody asked for is a wrong use.
      process.exitCode = error.exitCode === 0 ? 0 : WRONG_USE;
      return true;
    }
    const { verbose } = program.opts<{ verbose?: boolean }>();
    reportFailure(error, { verbose, asJson: argv.includes('--json') });
    return true;
  }
}
