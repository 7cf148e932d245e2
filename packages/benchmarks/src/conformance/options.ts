import { readFlags } from '../command-line/read-flags.js';
import { UsageError } from '../command-line/usage.error.js';

export interface ConformanceOptions {
  readonly help: boolean;
  /** Names of suites; none stands for all. */
  readonly suites: readonly string[];
  readonly fixtures: string | undefined;
}

const FLAGS = { fixtures: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const;

/**
 * Reads the command line.
 *
 * @throws UsageError for a flag or a suite that there is not.
 */
export function parseOptions(args: readonly string[], known: readonly string[]): ConformanceOptions {
  const { values, positionals } = readFlags(args, { options: FLAGS, allowPositionals: true });
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(`There is no suite "${unknown}"; there are ${known.join(', ')}.`);
  }
  return { help: values.help ?? false, suites: positionals, fixtures: values.fixtures };
}
