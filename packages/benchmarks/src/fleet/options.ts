import { readCounts } from '@adorn/conformance/command-line/read-counts';

export type FleetBenchOptions = ReturnType<typeof parseOptions>;

/** Reads the command line. Throws `UsageError` for a flag or a number that means nothing. */
export function parseOptions(args: readonly string[]) {
  return readCounts(args, { runs: 400, paused: 100_000 }, ['fleet', 'simulate', 'no-engines', 'no-paused']);
}

export const HELP = `What a run costs that another machine accepts, on each engine, and a simulation of more machines than there are here.

  npm run bench -- --fleet [flags]       measures: four to five minutes
  npm run bench -- --simulate            simulates with what was measured last: half a minute

  --runs n           runs of each measurement (400)
  --paused n         sessions that wait for a person (100000)
  --no-engines       only the sessions that wait for a person
  --no-paused        only the engines
  --help             this text

latency     one run after another: what it takes longer than runner.run in the process that has the message
engine      the same addresses through the queue alone, with a handler that does nothing
throughput  runs that were all accepted before the first worker began, on 1, 2 and 4 workers
paused      what a worker and the store hold while sessions wait for a person

The measurement writes results/fleet.json in this package, the simulation results/fleet/*.svg.
`;
