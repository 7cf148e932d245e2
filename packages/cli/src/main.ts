import { createProgram, type ProgramFacts } from './program.js';
import { reportFailure } from './report-failure.js';

/** Does what a command line says; a fault is told and makes the process exit with 1. */
export async function main(argv: readonly string[], facts: ProgramFacts): Promise<void> {
  const program = createProgram(facts);
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    reportFailure(error, { verbose: program.opts<{ verbose?: boolean }>().verbose });
  }
}
