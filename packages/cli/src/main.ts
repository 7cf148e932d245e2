import { CommanderError } from 'commander';

import { closeRunners } from './application/close-on-signal.js';
import { WRONG_USE } from './command/exit-codes.js';
import { completeWords, linesOfCompletion } from './completion/complete-words.js';
import { COMMANDS, createProgram, type ProgramFacts } from './program.js';
import { reportFailure } from 'adorn/main';
import { endWithReader } from './terminal/end-with-reader.js';

/** Runs a command line, or completes one for a shell; prints an error and sets the exit code if it fails. */
export async function main(argv: readonly string[], facts: ProgramFacts): Promise<void> {
  endWithReader(process.stdout, closeRunners);
  if (argv[2] === 'complete' && argv[3] === '--') {
    const completion = completeWords(Object.values(COMMANDS).flat(), argv.slice(4));
    for (const line of linesOfCompletion(completion)) process.stdout.write(`${line}\n`);
    return;
  }
  const program = createProgram(facts);
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    if (error instanceof CommanderError) {
      // Help or a version was printed; help that nobody asked for is a wrong use.
      process.exitCode = error.exitCode === 0 ? 0 : WRONG_USE;
      return;
    }
    const { verbose } = program.opts<{ verbose?: boolean }>();
    reportFailure(error, { verbose, asJson: argv.includes('--json') });
  }
}
