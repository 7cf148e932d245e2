import { readFlags } from './read-flags.js';
import { positive } from './whole-number.js';

type Options<Count extends string, Switch extends string> = Readonly<
  Record<Count, number> & Record<Switch | 'help', boolean>
>;

/**
 * Reads a command line whose flags take numbers above 0, or nothing: `--rounds 15 --help`.
 *
 * @param defaults the number of each flag that is left out
 * @param switches the flags without a value, beside `--help`
 * @throws {UsageError} for a flag or a number that means nothing
 */
export function readCounts<Count extends string, Switch extends string>(
  args: readonly string[],
  defaults: Readonly<Record<Count, number>>,
  switches: readonly Switch[],
): Options<Count, Switch> {
  const counts = Object.entries<number>(defaults);
  const { values } = readFlags(args, {
    options: {
      ...Object.fromEntries(counts.map(([name]) => [name, { type: 'string' as const }])),
      ...Object.fromEntries(switches.map((name) => [name, { type: 'boolean' as const }])),
      help: { type: 'boolean', short: 'h' },
    },
  });
  const given = values as Readonly<Record<string, string | boolean | undefined>>;
  return Object.fromEntries([
    ...counts.map(([name, value]) => [name, positive(name, String(given[name] ?? value))]),
    ...[...switches, 'help'].map((name) => [name, given[name] === true]),
  ]) as Options<Count, Switch>;
}
