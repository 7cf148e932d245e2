import { createProgram, type ProgramFacts } from './program.js';
import { reportFailure } from './report-failure.js';

/** Runs a command line; prints an error and sets the exit code 1 if it fails. */
export async function main(argv: readonly string[], facts: ProgramFacts): Promise<void> {
  const program = createProgram(facts);
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    reportFailure(error, { verbose: program.opts<{ verbose?: boolean }>().verbose });
  }
}
