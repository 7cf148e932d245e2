import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { runCommand } from '@adorn/conformance/command-line/run-command';

import { HELP } from './help.js';
import { lineUp, type LineUp } from './line-up.js';
import { type BenchOptions, parseOptions } from './options.js';
import { planJobs } from './plan.js';
import type { Names } from './report/ratios.js';
import { writeReport } from './report/report.js';
import { judge } from './report/verdicts.js';
import { describeRun, type Results, writeResults } from './results.js';
import type { Sample } from './sample.js';
import { takeSamples } from './take-samples.js';

const USUAL_PLACE = fileURLToPath(new URL('../../results/latest.json', import.meta.url));

/** Measures, prints the report on standard output and writes the JSON; progress goes to standard error. */
async function main(options: BenchOptions): Promise<void> {
  const participants = await lineUp(options, logProgress);
  const names = namesOf(participants);
  const file = resolve(options.out ?? USUAL_PLACE);
  const results = await measure(options, participants, names, file);
  console.log(writeReport(results, names));
  logProgress(`written to ${file}`);
  if (results.samples.some(({ adapter, error }) => error !== undefined && !names.peers.includes(adapter))) {
    process.exitCode = 1;
  }
}

function namesOf({ contestants }: LineUp): Names {
  return {
    all: contestants.map(({ name }) => name),
    peers: contestants.filter(({ peer }) => peer).map(({ name }) => name),
  };
}

/** The file is written after every sample: a run that is broken off keeps what it has. */
async function measure(
  options: BenchOptions,
  { contestants, leftOut }: LineUp,
  { peers }: Names,
  file: string,
): Promise<Results> {
  const run = describeRun(options, contestants);
  const samples: Sample[] = [];
  const soFar = (): Results => ({ ...run, leftOut, samples, goals: judge(samples, peers) });
  for await (const sample of takeSamples(planJobs(options, contestants), logProgress)) {
    samples.push(sample);
    writeResults(file, soFar());
  }
  return soFar();
}

function logProgress(line: string): void {
  console.error(`[${(performance.now() / 1000).toFixed(0)} s] ${line}`);
}

await runCommand({
  parse: parseOptions,
  run: main,
  help: HELP,
  hint: '"npm run bench -- --help" lists every flag.',
  usageCode: 2,
});
