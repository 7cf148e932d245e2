import { readFlags } from '../command-line/read-flags.js';
import { UsageError } from '../command-line/usage.error.js';
import { wholeNumber } from '../command-line/whole-number.js';

export interface ChaosOptions {
  readonly help: boolean;
  readonly suite: 'storage' | 'input';
  /** How many conversations with hostile input are held on each store. */
  readonly conversations: number;
  /** How many pairs of writers are killed on SQLite. */
  readonly seeds: number;
  readonly postgresSeeds: number;
  /** The first seed. */
  readonly from: number;
}

const FLAGS = {
  seeds: { type: 'string' },
  'postgres-seeds': { type: 'string' },
  from: { type: 'string' },
  conversations: { type: 'string' },
  seed: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Reads the command line. Throws `UsageError` for a flag, a suite or a number that means nothing. */
export function parseOptions(args: readonly string[]): ChaosOptions {
  const { values, positionals } = readFlags(args, { options: FLAGS, allowPositionals: true });
  const [suite = 'storage', ...more] = positionals;
  if ((suite !== 'storage' && suite !== 'input') || more.length > 0) {
    throw new UsageError(`There is no suite "${[suite, ...more].join(' ')}"; there are storage and input.`);
  }
  return {
    help: values.help ?? false,
    suite,
    conversations: wholeNumber(
      'conversations',
      values.conversations ?? (values.seed === undefined ? '5000' : '1'),
    ),
    seeds: wholeNumber('seeds', values.seeds ?? '100'),
    postgresSeeds: wholeNumber('postgres-seeds', values['postgres-seeds'] ?? '25'),
    from: wholeNumber('from', values.seed ?? values.from ?? '1'),
  };
}
