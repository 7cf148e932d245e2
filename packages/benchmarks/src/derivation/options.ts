import { readFlags } from '@adorn/conformance/command-line/read-flags';
import { positive, positives } from '@adorn/conformance/command-line/whole-number';

export interface DerivationOptions {
  readonly help: boolean;
  /** How many tools the projects have. */
  readonly sizes: readonly number[];
  readonly rounds: number;
}

const FLAGS = {
  derivation: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  sizes: { type: 'string' },
  rounds: { type: 'string' },
} as const;

/** Reads the command line. Throws `UsageError` for a flag or a number that means nothing. */
export function parseOptions(args: readonly string[]): DerivationOptions {
  const values = readFlags(args, { options: FLAGS }).values;
  return {
    help: values.help ?? false,
    sizes: positives('sizes', values.sizes ?? '1,100,1000'),
    rounds: positive('rounds', values.rounds ?? '3'),
  };
}
