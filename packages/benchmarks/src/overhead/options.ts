import { readFlags } from '@adorn/conformance/command-line/read-flags';
import { UsageError } from '@adorn/conformance/command-line/usage.error';
import { positive } from '@adorn/conformance/command-line/whole-number';

import { MEASURES, type MeasureName } from './measures/measures.js';
import { TURN_KINDS, type TurnKind } from './script.js';

export interface BenchOptions {
  readonly quick: boolean;
  readonly help: boolean;
  /** Adapters by name, or undefined for all. */
  readonly adapters: readonly string[] | undefined;
  readonly kinds: readonly TurnKind[];
  readonly measures: readonly MeasureName[];
  readonly rounds: number;
  readonly peers: boolean;
  /** Where the JSON goes, or undefined for the usual place. */
  readonly out: string | undefined;
}

/** What a quick run leaves out tells little that a change of code would change. */
const QUICK_MEASURES: readonly MeasureName[] = [
  'import-time',
  'first-turn',
  'overhead',
  'replay',
  'growth',
  'parallel-tools',
];

const FLAGS = {
  quick: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  adapters: { type: 'string' },
  kinds: { type: 'string' },
  measures: { type: 'string' },
  rounds: { type: 'string' },
  'no-peers': { type: 'boolean' },
  out: { type: 'string' },
} as const;

/** Reads the command line. Throws `UsageError` for a flag, a name or a number that means nothing. */
export function parseOptions(args: readonly string[]): BenchOptions {
  const values = readFlags(args, { options: FLAGS }).values;
  const quick = values.quick ?? false;
  return {
    quick,
    help: values.help ?? false,
    adapters: values.adapters?.split(','),
    kinds: values.kinds === undefined ? TURN_KINDS : chosen('kind', TURN_KINDS, values.kinds),
    measures:
      values.measures === undefined ? usualMeasures(quick) : chosen('measure', MEASURES, values.measures),
    rounds: values.rounds === undefined ? usualRounds(quick) : positive('rounds', values.rounds),
    peers: !(values['no-peers'] ?? false),
    out: values.out,
  };
}

/** The chosen names in the order they are known by, so that tables always read alike. */
export function chosen<Name extends string>(what: string, known: readonly Name[], list: string): Name[] {
  const wanted = list.split(',');
  const unknown = wanted.find((name) => !known.some((other) => other === name));
  if (unknown !== undefined) {
    throw new UsageError(`There is no ${what} "${unknown}"; there are ${known.join(', ')}.`);
  }
  return known.filter((name) => wanted.includes(name));
}

function usualMeasures(quick: boolean): readonly MeasureName[] {
  return quick ? QUICK_MEASURES : MEASURES;
}

/** At least three: the median of two is their mean, and one disturbed sample would be in it. */
function usualRounds(quick: boolean): number {
  return quick ? 3 : 5;
}
