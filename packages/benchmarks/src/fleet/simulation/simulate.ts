import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { formatNumber, formatTable } from '../../overhead/report/format.js';
import { type MeasuredEngine, readServiceTimes, type ServiceTimes } from '../service-times.js';
import { type FleetModel, simulateFleet, type SimulatedFleet } from './fleet-model.js';
import { drawLines, type Series } from './line-plot.js';
import { percentile } from '../../percentile.js';

const WORKERS = [16, 64, 256, 1000];
const PARTITIONS = [1, 4, 16, 64];
/** A model of two seconds, and ten runs of a worker at a time. */
const LOAD = { modelMs: 2000, concurrency: 10 };
/** Each session has a message an hour. */
const SESSIONS = 10_000_000;
const MESSAGES_PER_SECOND = SESSIONS / 3600;
const FOLDER = fileURLToPath(new URL('../../../results/fleet', import.meta.url));
/** The time whose p99 is one point of the plot of a loss, in milliseconds. */
const WINDOW_MS = 5000;
/** How far the simulation may be from what was measured on 1, 2 and 4 workers. */
const TOLERANCE = 0.25;

const ASSUMPTIONS = `Assumed in the check above: workers, store, engine and who submits share the cores of this machine, as far as other
processes left them; a worker has one thread; a run takes the CPU that one takes on one worker; what others use, they take from
each core alike; of Restate, each worker is given the part of the runs that it was given when it was measured.
Assumed below: a worker has a core of its own, and so have the stores and the engine; a model takes two seconds on the average,
distributed exponentially; a worker has ten runs at a time; submissions come at random (Poisson), to sessions so many that no two
meet in one; each store does as many transactions a second as the one here, over 16 connections, first come first served; sessions
are spread evenly over the stores; a worker asks of them what an idle one was measured to ask, evenly; a run of a lost worker begins
anew five to six seconds after its next step was due; the network takes no time, and the engine is never the limit. Sessions at
rest are rows, and take no time.`;

/** Simulates fleets that this machine has no room for, and writes the report to the standard output and plots to a folder. */
export function simulate(): void {
  const measured = readServiceTimes();
  mkdirSync(FOLDER, { recursive: true });
  console.log(writeChecks(measured));
  const times = measured['pg-boss'];
  console.log(`\n${ASSUMPTIONS}\n`);
  console.log(writeThroughput(times));
  console.log(`\n${writeDelays(times)}`);
  console.log(`\n${writeLoss(times)}`);
  console.log(`\nPlots: ${FOLDER}/throughput.svg, delays.svg, loss.svg`);
}

function run(times: ServiceTimes, stated: Partial<FleetModel>): SimulatedFleet {
  const model = { times, ...LOAD, workers: 16, partitions: 1, rate: Infinity, durationMs: 40_000, seed: 1 };
  return simulateFleet({ ...model, ...stated });
}

/** The simulation beside the measurement. The exit code is 1 if they differ too much. */
function writeChecks(measured: Record<MeasuredEngine, ServiceTimes>): string {
  const rows: string[][] = [];
  for (const [engine, times] of Object.entries(measured)) {
    for (const { workers, concurrency, modelMs, runs, runsPerSecond, cores, shares } of times.checks) {
      const load = { workers, concurrency, modelMs, shares, isModelConstant: true, sharedCores: cores };
      const simulated = run(times, { ...load, burst: runs }).runsPerSecond;
      const ratio = simulated / runsPerSecond;
      if (Math.abs(ratio - 1) > TOLERANCE) process.exitCode = 1;
      rows.push([
        engine,
        String(workers),
        formatNumber(runsPerSecond),
        formatNumber(simulated),
        ratio.toFixed(2),
      ]);
    }
  }
  return formatTable(['engine', 'workers', 'measured runs/s', 'simulated', 'ratio'], rows);
}

function writeThroughput(times: ServiceTimes): string {
  const rows: string[][] = [];
  const series: Series[] = PARTITIONS.map((partitions) => {
    const points = WORKERS.map((workers): [number, number] => {
      const { runsPerSecond, writesPerSecond } = run(times, { workers, partitions });
      const places = (workers * LOAD.concurrency * 1000) / LOAD.modelMs;
      const isStore = runsPerSecond < places * 0.8;
      rows.push([
        String(workers),
        String(partitions),
        formatNumber(runsPerSecond),
        formatNumber(writesPerSecond),
        isStore ? 'the store' : 'workers',
        ((runsPerSecond / MESSAGES_PER_SECOND) * 100).toFixed(0),
      ]);
      return [workers, Math.max(0.1, runsPerSecond)];
    });
    return { name: `${String(partitions)} store${partitions === 1 ? '' : 's'}`, points };
  });
  const plot = {
    title: 'Runs a second',
    x: 'workers',
    y: 'runs a second',
    isLogX: true,
    isLogY: true,
    series,
  };
  writeFileSync(`${FOLDER}/throughput.svg`, drawLines(plot));
  const head = [
    'workers',
    'stores',
    'runs/s',
    'rows written/s',
    'the limit',
    '% of 10 million sessions, hourly',
  ];
  return formatTable(head, rows);
}

function writeDelays(times: ServiceTimes): string {
  const rows: string[][] = [];
  const series = [64, 1000].map((workers): Series => {
    const partitions = partitionsFor(times, workers);
    const most = run(times, { workers, partitions }).runsPerSecond;
    const points = [0.3, 0.5, 0.7, 0.8, 0.9, 0.95].map((part): [number, number] => {
      const { ends } = run(times, { workers, partitions, rate: most * part });
      const took = ends.filter(({ at }) => at > 15_000).map((end) => end.took);
      const sorted = took.toSorted((left, right) => left - right);
      const [p50, p99] = [percentile(sorted, 0.5), percentile(sorted, 0.99)];
      rows.push([
        String(workers),
        String(partitions),
        (part * 100).toFixed(0),
        formatNumber(most * part),
        formatNumber(p50),
        formatNumber(p99),
      ]);
      return [part * 100, p99];
    });
    return { name: `${String(workers)} workers`, points };
  });
  const plot = {
    title: 'From submission to end, p99',
    x: '% of the largest rate',
    y: 'milliseconds',
    series,
  };
  writeFileSync(`${FOLDER}/delays.svg`, drawLines(plot));
  return formatTable(['workers', 'stores', '% of the largest rate', 'runs/s', 'p50 ms', 'p99 ms'], rows);
}

function writeLoss(times: ServiceTimes): string {
  const [workers, lossAt] = [256, 30_000];
  const partitions = partitionsFor(times, workers);
  const most = run(times, { workers, partitions }).runsPerSecond;
  const rows: string[][] = [];
  const series = [0.5, 0.6, 0.7].map((part): Series => {
    const { ends } = run(times, { workers, partitions, rate: most * part, lossAt, durationMs: 120_000 });
    const windows = Array.from({ length: 24 }, (_, window) => {
      const begin = window * WINDOW_MS;
      const took = ends.filter(({ at }) => at >= begin && at < begin + WINDOW_MS).map((end) => end.took);
      return percentile(
        took.toSorted((left, right) => left - right),
        0.99,
      );
    });
    const lost = lossAt / WINDOW_MS;
    const before = median(windows.slice(lost - 3, lost));
    const late = windows.findLastIndex((p99, window) => window >= lost && p99 > before * 1.3);
    const backAfter = ((Math.max(late, lost - 1) + 1 - lost) * WINDOW_MS) / 1000;
    rows.push([
      (part * 100).toFixed(0),
      formatNumber(before),
      formatNumber(Math.max(...windows.slice(lost))),
      late === windows.length - 1 ? 'not within 90 s' : `${String(backAfter)} s`,
    ]);
    const points = windows.flatMap((p99, window): [number, number][] =>
      p99 > 0 ? [[(window * WINDOW_MS) / 1000, p99]] : [],
    );
    return { name: `at ${(part * 100).toFixed(0)} % of the rate`, points };
  });
  const title = `${String(workers)} workers lose a third of them after 30 s`;
  writeFileSync(`${FOLDER}/loss.svg`, drawLines({ title, x: 'seconds', y: 'p99, milliseconds', series }));
  const head = ['% of the largest rate', 'p99 before, ms', 'largest p99, ms', 'p99 as before after'];
  return `The loss of a third of ${String(workers)} workers, which are not replaced:\n\n${formatTable(head, rows)}`;
}

/** As many stores as the workers need to be the limit themselves. */
function partitionsFor(times: ServiceTimes, workers: number): number {
  const runs = (workers * LOAD.concurrency * 1000) / LOAD.modelMs;
  return Math.max(1, Math.ceil((runs * times.commits * 1.5) / times.storeCommitsPerSecond));
}

function median(values: readonly number[]): number {
  return percentile(
    values.toSorted((left, right) => left - right),
    0.5,
  );
}
