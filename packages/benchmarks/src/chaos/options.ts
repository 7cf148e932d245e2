import { parseArgs } from 'node:util';

import { messageOf } from '../conformance/message-of.js';
import { UsageError } from './usage.error.js';

export interface ChaosOptions {
  readonly help: boolean;
  /** How many pairs of writers are killed on SQLite. */
  readonly seeds: number;
  readonly postgresSeeds: number;
  /** The first seed. */
  readonly from: number;
}

/** Reads the command line. Throws `UsageError` for a flag, a suite or a number that means nothing. */
export function parseOptions(args: readonly string[]): ChaosOptions {
  const { values, positionals } = readFlags(args);
  const [suite = 'storage', ...more] = positionals;
  if (suite !== 'storage' || more.length > 0) {
    throw new UsageError(`There is no suite "${[suite, ...more].join(' ')}"; there is storage.`);
  }
  return {
    help: values.help ?? false,
    seeds: wholeNumber('seeds', values.seeds ?? '200'),
    postgresSeeds: wholeNumber('postgres-seeds', values['postgres-seeds'] ?? '50'),
    from: wholeNumber('from', values.from ?? '1'),
  };
}

function readFlags(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        seeds: { type: 'string' },
        'postgres-seeds': { type: 'string' },
        from: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(`${messageOf(error)}.`);
  }
}

function wholeNumber(flag: string, text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw new UsageError(`--${flag} takes a whole number, not "${text}".`);
}
