import { parseArgs } from 'node:util';

import { messageOf } from '../overhead/message-of.js';
import { UsageError } from '../overhead/usage.error.js';

export interface StoresOptions {
  readonly help: boolean;
  readonly appends: number;
  readonly events: number;
  readonly rounds: number;
}

/** Reads the command line. Throws `UsageError` for a flag or a number that means nothing. */
export function parseOptions(args: readonly string[]): StoresOptions {
  const values = readFlags(args);
  return {
    help: values.help ?? false,
    appends: positive('appends', values.appends ?? '300'),
    events: positive('events', values.events ?? '10000'),
    rounds: positive('rounds', values.rounds ?? '5'),
  };
}

function readFlags(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        stores: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        appends: { type: 'string' },
        events: { type: 'string' },
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
  throw new UsageError(`--${flag} takes a whole number above 0, not "${text}".`);
}
