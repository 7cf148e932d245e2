import { readFlags } from '../command-line/read-flags.js';
import { positive } from '../command-line/whole-number.js';

export interface FleetBenchOptions {
  readonly help: boolean;
  /** Simulates instead of measuring. */
  readonly isSimulated: boolean;
  readonly runs: number;
  readonly paused: number;
}

const FLAGS = {
  fleet: { type: 'boolean' },
  simulate: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  runs: { type: 'string' },
  paused: { type: 'string' },
} as const;

/** Reads the command line. Throws `UsageError` for a flag or a number that means nothing. */
export function parseOptions(args: readonly string[]): FleetBenchOptions {
  const values = readFlags(args, { options: FLAGS }).values;
  return {
    help: values.help ?? false,
    isSimulated: values.simulate ?? false,
    runs: positive('runs', values.runs ?? '400'),
    paused: positive('paused', values.paused ?? '100000'),
  };
}

export const HELP = `What a run costs that another machine accepts, on each engine, and a simulation of more machines than there are here.

  npm run bench -- --fleet [flags]       measures: four to five minutes
  npm run bench -- --simulate            simulates with what was measured last: half a minute

  --runs n           runs of each measurement (400)
  --paused n         sessions that wait for a person (100000)
  --help             this text

latency     one run after another: what it takes longer than runner.run in the process that has the message
engine      the same addresses through the queue alone, with a handler that does nothing
throughput  runs that were all accepted before the first worker began, on 1, 2 and 4 workers
paused      what a worker and the store hold while sessions wait for a person

The measurement writes results/fleet.json in this package, the simulation results/fleet/*.svg.
`;
