import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What was measured on one machine, per run, and is fed into the simulation. */
export interface ServiceTimes {
  /** CPU of a worker, in milliseconds. */
  readonly workerCpuMs: number;
  /** CPU of the worker, the store, the engine and who submits, in milliseconds. */
  readonly fleetCpuMs: number;
  /** Transactions and changed rows of the store. */
  readonly commits: number;
  readonly writes: number;
  /** Transactions a second of a worker that has nothing to do. */
  readonly idleCommits: number;
  /** Milliseconds from a submission to its worker, without load. */
  readonly deliveryMs: number;
  /** Transactions that the store does in a second with 16 connections. */
  readonly storeCommitsPerSecond: number;
  /** Runs a second of so many workers whose model takes a while, against which the simulation is checked. */
  readonly checks: readonly MeasuredThroughput[];
}

export interface MeasuredThroughput {
  readonly workers: number;
  readonly concurrency: number;
  readonly modelMs: number;
  /** Runs that were all submitted before the first worker began. */
  readonly runs: number;
  readonly runsPerSecond: number;
  /** Cores of the machine that nothing else used meanwhile. */
  readonly cores: number;
  /** The part of the runs that each worker was given, where none waited for a worker with a free place. */
  readonly shares?: readonly number[];
}

/** Runs that are left when the measurement of a throughput ends: from then on, some places have nothing more to begin. */
export function leftAtEnd(runs: number, places: number): number {
  return Math.min(runs / 4, places);
}

export type MeasuredEngine = 'pg-boss' | 'restate';

/** In this package, as the results of the other benchmarks. */
export const MEASURED = fileURLToPath(new URL('../../results/fleet.json', import.meta.url));

/** @throws if nothing was measured yet */
export function readServiceTimes(): Record<MeasuredEngine, ServiceTimes> {
  if (!existsSync(MEASURED))
    throw new Error(`There is no ${MEASURED}: run "npm run bench -- --fleet" first.`);
  return JSON.parse(readFileSync(MEASURED, 'utf8')) as Record<MeasuredEngine, ServiceTimes>;
}
