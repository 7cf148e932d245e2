import type { Contestant } from './contestants.js';
import { inTurn } from './interleave.js';
import type { SampleOptions } from './measures/measurement.js';
import type { MeasureName } from './measures/measures.js';
import type { BenchOptions } from './options.js';
import type { TurnKind } from './script.js';

/** One sample that is to be taken. */
export interface Job {
  readonly contestant: Contestant;
  readonly measure: MeasureName;
  /** The kind of turn, or '' for measures that have only one. */
  readonly key: string;
  readonly round: number;
  readonly options: SampleOptions;
}

/** Kinds whose turns are so long that fewer of them tell as much. */
const LONG_KINDS: readonly TurnKind[] = ['D', 'E'];

/** Every sample of a run, in the order they are taken: measures one after the other, contestants in turn. */
export function planJobs(options: BenchOptions, contestants: readonly Contestant[]): Job[] {
  return options.measures.flatMap((measure) =>
    rounds(roundsOf(measure, options)).flatMap((round) =>
      keysOf(measure, options).flatMap((key) =>
        inTurn(contestants, round).map((contestant) => ({
          contestant,
          measure,
          key,
          round,
          options: sampleOptions(measure, key, options.quick, contestant),
        })),
      ),
    ),
  );
}

function rounds(count: number): number[] {
  return Array.from({ length: count }, (_, round) => round);
}

/** The start of a process is short and varies most; what counts rather than times needs no second look. */
function roundsOf(measure: MeasureName, { rounds: wanted, quick }: BenchOptions): number {
  if (measure === 'verify' || measure === 'allocation') return 1;
  if (measure === 'import-time' || measure === 'first-turn') return quick ? wanted + 1 : wanted * 3;
  return measure === 'overhead' || !quick ? wanted : 1;
}

function keysOf(measure: MeasureName, { kinds }: BenchOptions): readonly (TurnKind | '')[] {
  return measure === 'overhead' || measure === 'allocation' ? kinds : [''];
}

function sampleOptions(
  measure: MeasureName,
  key: TurnKind | '',
  quick: boolean,
  { entry }: Contestant,
): SampleOptions {
  if (measure === 'import-time') return entry === undefined ? {} : { entry };
  if (key === '') return {};
  return measure === 'overhead' ? { kind: key, ...turnsOf(key, quick) } : { kind: key };
}

function turnsOf(kind: TurnKind, quick: boolean): { warm: number; iterations: number } {
  const warm = quick ? 2_000 : 5_000;
  return LONG_KINDS.includes(kind) ? { warm: warm * 0.3, iterations: 20 } : { warm, iterations: 100 };
}
