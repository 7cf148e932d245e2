import { parseArgs } from 'node:util';

import { messageOf } from '../overhead/message-of.js';
import { UsageError } from '../overhead/usage.error.js';

export interface DerivationOptions {
  readonly help: boolean;
  /** How many tools the projects have. */
  readonly sizes: readonly number[];
  readonly rounds: number;
}

/** Reads the command line. Throws `UsageError` for a flag or a number that means nothing. */
export function parseOptions(args: readonly string[]): DerivationOptions {
  const values = readFlags(args);
  return {
    help: values.help ?? false,
    sizes: (values.sizes ?? '1,100,1000').split(',').map((size) => positive('sizes', size)),
    rounds: positive('rounds', values.rounds ?? '3'),
  };
}

function readFlags(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        derivation: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        sizes: { type: 'string' },
        rounds: { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${messageOf(error)}.`);
  }
}

function positive(flag: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new UsageError(`--${flag} takes whole numbers above 0, not "${text}".`);
}
