import { readFlags } from '../command-line/read-flags.js';
import { positive } from '../command-line/whole-number.js';

export interface StoresOptions {
  readonly help: boolean;
  readonly appends: number;
  readonly events: number;
  readonly rounds: number;
}

const FLAGS = {
  stores: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  appends: { type: 'string' },
  events: { type: 'string' },
  rounds: { type: 'string' },
} as const;

/** Reads the command line. Throws `UsageError` for a flag or a number that means nothing. */
export function parseOptions(args: readonly string[]): StoresOptions {
  const values = readFlags(args, { options: FLAGS }).values;
  return {
    help: values.help ?? false,
    appends: positive('appends', values.appends ?? '300'),
    events: positive('events', values.events ?? '10000'),
    rounds: positive('rounds', values.rounds ?? '15'),
  };
}
