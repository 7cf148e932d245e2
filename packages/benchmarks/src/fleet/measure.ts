import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { PostgresServer, RestateServer } from '@adorn/testing/servers';

import { formatNumber, formatTable } from '../overhead/report/format.js';
import type { BenchPlace, Engine } from './bench-machine.js';
import { type EngineFigures, measureEngine } from './measure-engine.js';
import { measureIdle } from './measure-idle.js';
import { type Latencies, measureLatency, measureRuns } from './measure-latency.js';
import { measurePaused, type PausedFigures } from './measure-paused.js';
import { measureStoreLimit } from './measure-store-limit.js';
import { measureThroughput, type Throughput } from './measure-throughput.js';
import type { FleetBenchOptions } from './options.js';
import { MEASURED, type MeasuredEngine, type ServiceTimes } from './service-times.js';
import { percentile } from '../percentile.js';

const WORKERS = [1, 2, 4];
/** A model that takes a while, and few runs at a time: the machines wait, and are not limited by the cores of this one. */
const SLOW = { modelMs: 400, concurrency: 4 };
const FAST = { modelMs: 0, concurrency: 10 };

/** What was measured on one engine. */
interface Figures {
  readonly engine: Engine;
  readonly latencies: Latencies;
  readonly alone: EngineFigures | undefined;
  /** Transactions a second of a worker that has nothing to do; 0 for the queue in the process, which was not asked. */
  readonly idleCommits: number;
  readonly fast: readonly Throughput[];
  readonly slow: readonly Throughput[];
}

/** Measures each engine, writes the report to the standard output, and what the simulation needs to `results/fleet.json`. */
export async function measure(options: FleetBenchOptions): Promise<void> {
  const server = await PostgresServer.start({ settings: { max_connections: '200' } });
  const restate = await RestateServer.start();
  const stage = new Stage(server, restate);
  try {
    if (!options['no-engines']) await measureEngines(stage, options);
    if (options['no-paused']) return;
    progress('paused sessions');
    console.log(writePaused(await measurePaused(await stage.place('pg-boss', FAST), options.paused)));
  } finally {
    await restate.stop();
    await server.stop();
  }
}

async function measureEngines(stage: Stage, { runs }: FleetBenchOptions): Promise<void> {
  const bare = await measureRuns(await stage.place('process', FAST), runs);
  const commitsPerSecond = await measureStoreLimit((await stage.place('process', FAST)).url);
  const figures: Figures[] = [];
  for (const engine of ['process', 'pg-boss', 'restate'] as const)
    figures.push(await measureOne(stage, engine, runs));
  console.log(writeEngines(bare, figures, commitsPerSecond));
  keep(figures, commitsPerSecond);
}

/** Each measurement has a database, and a service of Restate, of its own. */
class Stage {
  private count = 0;

  constructor(
    private readonly server: PostgresServer,
    private readonly restate: RestateServer,
  ) {}

  async place(engine: Engine, load: { modelMs: number; concurrency: number }): Promise<BenchPlace> {
    const name = `bench${String(this.count++)}`;
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: this.server.url() });
    await client.connect();
    await client.query(`create database ${name}`);
    await client.end();
    const { ingress, admin } = this.restate;
    const port = 20_000 + ((process.pid + this.count) % 20_000);
    const restate = engine === 'restate' ? { ingress, admin, port, service: name } : undefined;
    return { engine, url: this.server.url(name), restate, ...load };
  }
}

async function measureOne(stage: Stage, engine: Engine, runs: number): Promise<Figures> {
  progress(`${engine}: latency`);
  const latencies = await measureLatency(await stage.place(engine, FAST), Math.ceil(runs / 2));
  const place = await stage.place(engine, FAST);
  const alone = engine === 'process' ? undefined : await measureEngine(place, Math.ceil(runs / 2));
  progress(`${engine}: idle`);
  const idleCommits = engine === 'process' ? 0 : await measureIdle(await stage.place(engine, FAST));
  const fast: Throughput[] = [];
  const slow: Throughput[] = [];
  for (const workers of engine === 'process' ? [1] : WORKERS) {
    progress(`${engine}: throughput of ${String(workers)}`);
    fast.push(await measureThroughput(await stage.place(engine, FAST), workers, runs * (workers + 1)));
    slow.push(await measureThroughput(await stage.place(engine, SLOW), workers, 40 + 40 * workers));
  }
  return { engine, latencies, alone, idleCommits, fast, slow };
}

function progress(what: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)} ${what}`);
}

function keep(figures: readonly Figures[], storeCommitsPerSecond: number): void {
  const measured: Partial<Record<MeasuredEngine, ServiceTimes>> = {};
  for (const { engine, fast, slow, alone, idleCommits } of figures) {
    if (engine === 'process') continue;
    const [one] = fast;
    measured[engine] = {
      workerCpuMs: one?.cpuMs ?? 0,
      fleetCpuMs: one?.fleetCpuMs ?? 0,
      commits: one?.commits ?? 0,
      writes: one?.writes ?? 0,
      deliveryMs: percentile(alone?.delivered ?? [], 0.5),
      idleCommits,
      storeCommitsPerSecond,
      checks: slow.map((each) => ({
        ...SLOW,
        workers: each.workers,
        runs: each.runs,
        runsPerSecond: each.runsPerSecond,
        cores: each.cores,
        // Workers of pg-boss take a run when they have a place for it; Restate gives each its runs as they come.
        shares: engine === 'restate' ? each.shares : undefined,
      })),
    };
  }
  mkdirSync(dirname(MEASURED), { recursive: true });
  writeFileSync(MEASURED, `${JSON.stringify(measured, undefined, 2)}\n`);
}

function writeEngines(
  bare: readonly number[],
  figures: readonly Figures[],
  commitsPerSecond: number,
): string {
  const [half, most] = [percentile(bare, 0.5), percentile(bare, 0.99)];
  const latency = figures.map(({ engine, latencies: { accepted, ended }, alone }) => [
    engine,
    ms(percentile(accepted, 0.5)),
    ms(percentile(accepted, 0.99)),
    ms(percentile(ended, 0.5) - half),
    ms(percentile(ended, 0.99) - most),
    alone ? `${ms(percentile(alone.delivered, 0.5))}, ${ms(percentile(alone.delivered, 0.99))}` : '–',
  ]);
  const throughput = figures.flatMap(({ engine, fast, slow, alone, idleCommits }) =>
    fast.map((each, index) => [
      engine,
      String(each.workers),
      formatNumber(each.runsPerSecond),
      formatNumber(each.runsPerSecond / each.workers),
      formatNumber(slow[index]?.runsPerSecond),
      formatNumber(each.cpuMs),
      formatNumber(each.fleetCpuMs),
      formatNumber(each.cores),
      formatNumber(each.commits),
      formatNumber(each.writes),
      formatNumber(idleCommits),
      formatNumber(alone?.perSecond),
    ]),
  );
  return [
    `runner.run without a queue: ${ms(half)} ms at the median, ${ms(most)} ms at p99. The store does`,
    `${formatNumber(commitsPerSecond)} transactions of one row a second. ms are milliseconds.\n`,
    formatTable(
      ['engine', 'accepted p50', 'p99', 'added p50', 'added p99', 'engine alone p50, p99'],
      latency,
    ),
    '',
    formatTable(
      [
        'engine',
        'workers',
        'runs/s',
        '… per worker',
        `runs/s, model of ${String(SLOW.modelMs)} ms × ${String(SLOW.concurrency)}`,
      ].concat([
        'CPU ms a run',
        '… with store and engine',
        'cores left',
        'commits',
        'rows written',
        'commits/s of an idle worker',
        'engine alone/s',
      ]),
      throughput,
    ),
  ].join('\n');
}

function writePaused(paused: readonly PausedFigures[]): string {
  const rows = paused.map((each) => [
    each.sessions.toLocaleString('en-US'),
    each.timers.toLocaleString('en-US'),
    formatNumber(each.workerMb),
    String(each.connections),
    String(each.rows),
    ms(each.runMs),
    formatNumber(each.storeMb),
  ]);
  const head = [
    'paused sessions',
    'with timers',
    'worker MB',
    'connections',
    'rows of queue',
    'run ms',
    'store MB',
  ];
  return formatTable(head, rows);
}

function ms(value: number): string {
  return value.toFixed(1);
}
