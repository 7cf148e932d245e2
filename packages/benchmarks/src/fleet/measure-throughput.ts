import { setTimeout } from 'node:timers/promises';

import { type Fleet, startWorker } from '@adorn/fleet';
import { Database } from '@adorn/storage';
import { sql } from 'kysely';

import { type BenchPlace, openMachine, USER } from './bench-machine.js';
import { startCpuMeter } from './machine-cpu.js';
import { leftAtEnd } from './service-times.js';
import { Workers } from './workers.js';

/** What so many runs took that were all accepted before the first worker began. */
export interface Throughput {
  readonly workers: number;
  readonly runs: number;
  readonly runsPerSecond: number;
  /** The part of the runs that each worker had. */
  readonly shares: readonly number[];
  /** CPU of the workers for a run, in milliseconds. */
  readonly cpuMs: number;
  /** CPU of the workers, the store, the engine and this process for a run, in milliseconds. */
  readonly fleetCpuMs: number;
  /** Cores of this machine that nothing else used meanwhile. */
  readonly cores: number;
  /** Transactions and changed rows of PostgreSQL for a run. */
  readonly commits: number;
  readonly writes: number;
}

/** So many sessions are submitted to at once, while no worker runs; then the workers begin. */
export async function measureThroughput(
  place: BenchPlace,
  workers: number,
  runs: number,
): Promise<Throughput> {
  const fleet = await openMachine(place);
  const name = `${String(place.modelMs)}_${String(workers)}`;
  for (let no = 0; no < runs; no += AT_ONCE) {
    const submissions = Array.from({ length: Math.min(AT_ONCE, runs - no) }, (_, index) =>
      fleet.submit({ userId: USER, sessionId: `${name}_${String(no + index)}`, message: 'Where is it?' }),
    );
    await Promise.all(submissions);
  }
  const before = await statistics(fleet);
  const others = place.engine === 'process' ? undefined : await Workers.start(place, workers);
  const cpuBefore = process.cpuUsage();
  const meter = startCpuMeter();
  const begunAt = performance.now();
  const beginning = others?.begin();
  const local = others ? undefined : await startWorker(fleet, place);
  // Until one of them has nothing more to begin.
  const last = await untilAtMost(fleet, leftAtEnd(runs, workers * place.concurrency));
  await beginning;
  await untilAtMost(fleet, 0);
  const { ownMs, coresLeft } = meter();
  const after = await statistics(fleet);
  const usages = (await others?.usages()) ?? [{ cpuMs: cpuSince(cpuBefore), runs }];
  await others?.stop();
  await (local ? local.stop(2000) : fleet.close());
  await fleet.runner.close();
  return {
    workers,
    runs,
    shares: usages.map((usage) => usage.runs / runs),
    runsPerSecond: ((runs - last.waiting) / (last.at - begunAt)) * 1000,
    cpuMs: usages.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / runs,
    fleetCpuMs: ownMs / runs,
    cores: coresLeft,
    commits: (after.commits - before.commits) / runs,
    writes: (after.writes - before.writes) / runs,
  };
}

const AT_ONCE = 20;

async function untilAtMost(fleet: Fleet, wanted: number): Promise<{ waiting: number; at: number }> {
  for (;;) {
    const { waiting } = await fleet.counts();
    if (waiting <= wanted) return { waiting, at: performance.now() };
    await setTimeout(100);
  }
}

/** Of the whole database. The server writes its counts down up to a second later. */
async function statistics(fleet: Fleet): Promise<{ commits: number; writes: number }> {
  await setTimeout(1500);
  const { rows } = await fleet.runner.get(Database).run((queries) =>
    sql<{ commits: string; writes: string }>`select xact_commit as commits,
      tup_inserted + tup_updated + tup_deleted as writes from pg_stat_database where datname = current_database()`.execute(
      queries,
    ),
  );
  return { commits: Number(rows[0]?.commits), writes: Number(rows[0]?.writes) };
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
