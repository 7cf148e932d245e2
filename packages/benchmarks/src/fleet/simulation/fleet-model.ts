import { seededRandom } from '@adorn/chaos/seeded-random';

import { leftAtEnd, type ServiceTimes } from '../service-times.js';
import { EventHeap } from './event-heap.js';
import { RunQueue, type Worker } from './run-queue.js';
import { Station, type Timeline } from './station.js';

export interface FleetModel {
  readonly times: ServiceTimes;
  readonly workers: number;
  /** Runs of a worker at a time. */
  readonly concurrency: number;
  /** The stores over which the sessions are spread by a digest of their addresses. */
  readonly partitions: number;
  /** Submissions a second, at random moments; Infinity for as many as can be run. */
  readonly rate: number;
  /** So many runs that were all submitted before; no others come. Default: they come at the rate. */
  readonly burst?: number;
  /** The part of the runs that each worker is given when they are submitted. Default: a worker takes a run when it has a place. */
  readonly shares?: readonly number[];
  /** The mean time of a model, in milliseconds. */
  readonly modelMs: number;
  /** True if each call of a model takes its mean time. Default: it is distributed exponentially. */
  readonly isModelConstant?: boolean;
  /** How long submissions come, in milliseconds. */
  readonly durationMs: number;
  /**
   * The cores that all workers share with their store and their engine; a part of one if others use the rest of it. Default: a
   * worker has one, and the store its own.
   */
  readonly sharedCores?: number;
  /** When a third of the workers is lost for good, in milliseconds. Default: never. */
  readonly lossAt?: number;
  readonly seed: number;
}

/** What a simulated fleet did. */
export interface SimulatedFleet {
  /** Of the second half of the time; of a burst, until some places have nothing more to begin. */
  readonly runsPerSecond: number;
  /** The ends of runs, in milliseconds, and how long each took from its submission. */
  readonly ends: readonly { readonly at: number; readonly took: number }[];
  readonly writesPerSecond: number;
}

/** Connections over which a store does its transactions at the measured rate. */
const STORE_CONNECTIONS = 16;
/** Milliseconds without a sign of life, and until the next look, after which a lost run is taken over. */
const HEARTBEAT_MS = 5000;
const LOOK_MS = 1000;
/** A run waits for the store at its submission, its begin, its answer and its end. */
const VISITS = 4;

/** Simulates submissions, their delivery, workers with a core each or on one machine, models, and partitions of the store. */
export function simulateFleet(model: FleetModel): SimulatedFleet {
  return new Simulation(model).run();
}

class Simulation implements Timeline {
  private readonly heap = new EventHeap();
  private readonly random: () => number;
  private readonly stores: readonly Station[];
  private readonly machine: Station | undefined;
  /** CPU of a worker before and after its model. */
  private readonly stepCpuMs: number;
  /** CPU of the store and of the engine for one visit, where they share the cores of the workers. */
  private readonly visitCpuMs: number;
  private readonly workers: readonly Worker[];
  private readonly ends: { at: number; took: number }[] = [];
  private readonly visitMs: number;
  private readonly queues: readonly RunQueue[];
  private submitted = 0;
  private begunAt: number | undefined;
  private time = 0;

  constructor(private readonly model: FleetModel) {
    const { concurrency, partitions, seed, sharedCores, shares, times, workers } = model;
    this.random = seededRandom(seed);
    const cores = Math.ceil(sharedCores ?? 1);
    this.machine = sharedCores === undefined ? undefined : new Station(this, cores);
    // Others take the same from each core.
    const slowness = cores / (sharedCores ?? cores);
    this.stepCpuMs = (times.workerCpuMs / 2) * slowness;
    this.visitCpuMs = ((times.fleetCpuMs - times.workerCpuMs) / VISITS) * slowness;
    this.stores = Array.from({ length: partitions }, () => new Station(this, STORE_CONNECTIONS));
    this.workers = Array.from({ length: workers }, () => {
      return { isLost: false, core: new Station(this, 1, this.machine) };
    });
    const places = { concurrency, random: this.random };
    this.queues = shares
      ? shares.map((share, no) => new RunQueue(share, this.workers.slice(no, no + 1), places))
      : [new RunQueue(1, this.workers, places)];
    // What workers ask of the partitions at any time is not there for runs.
    const capacity = Math.max(1, times.storeCommitsPerSecond - (workers * times.idleCommits) / partitions);
    this.visitMs = ((STORE_CONNECTIONS * 1000) / capacity) * (times.commits / VISITS);
  }

  now(): number {
    return this.time;
  }

  after(ms: number, action: () => void): void {
    this.heap.push(this.time + ms, action);
  }

  run(): SimulatedFleet {
    const { burst, durationMs, lossAt, rate, times } = this.model;
    if (lossAt !== undefined) this.after(lossAt, () => this.loseThird());
    if (burst !== undefined) this.submitAtOnce(burst);
    else if (Number.isFinite(rate)) this.submitAtRandom();
    else this.keepFull();
    for (let next = this.heap.pop(); next && next.time < durationMs; next = this.heap.pop()) {
      this.time = next.time;
      next.action();
    }
    const runsPerSecond = burst === undefined ? this.laterRate() : this.burstRate(burst);
    return { runsPerSecond, ends: this.ends, writesPerSecond: runsPerSecond * times.writes };
  }

  private laterRate(): number {
    const { durationMs } = this.model;
    return this.ends.filter(({ at }) => at >= durationMs / 2).length / (durationMs / 2000);
  }

  private burstRate(burst: number): number {
    return ((burst - this.leftOf(burst)) * 1000) / (this.begunAt ?? Infinity);
  }

  private leftOf(burst: number): number {
    return leftAtEnd(burst, this.workers.length * this.model.concurrency);
  }

  private submitAtOnce(runs: number): void {
    for (let no = 0; no < runs; no++) this.queue(0);
  }

  private submitAtRandom(): void {
    const submittedAt = this.time;
    this.visitStore(() => this.after(this.model.times.deliveryMs, () => this.queue(submittedAt)));
    this.after((-Math.log(1 - this.random()) * 1000) / this.model.rate, () => this.submitAtRandom());
  }

  /** Each place of a worker gets a new submission when its run has ended. */
  private keepFull(): void {
    const places = this.workers.length * this.model.concurrency;
    for (let place = 0; place < places; place++) this.queue(0);
  }

  private queue(submittedAt: number): void {
    this.submitted++;
    const behind = this.queues.reduce((most, each) =>
      each.lack(this.submitted) > most.lack(this.submitted) ? each : most,
    );
    behind.push(submittedAt);
    this.assign(behind);
  }

  private assign(queue: RunQueue): void {
    for (let next = queue.take(); next; next = queue.take()) this.work(queue, next.worker, next.submittedAt);
    const { burst } = this.model;
    if (burst === undefined || this.submitted < burst || this.begunAt !== undefined) return;
    const waiting = this.queues.reduce((sum, each) => sum + each.waiting, 0);
    if (waiting <= this.leftOf(burst)) this.begunAt = this.time;
  }

  /** Begin, model, answer, end: each with its part of the CPU and of the transactions. */
  private work(queue: RunQueue, worker: Worker, submittedAt: number): void {
    const { burst, isModelConstant = false, modelMs, rate } = this.model;
    const isClosed = burst === undefined && !Number.isFinite(rate);
    const next = (action: () => void) => (): void => {
      if (worker.isLost) this.takeOver(submittedAt);
      else action();
    };
    const end = (): void => {
      this.ends.push({ at: this.time, took: this.time - submittedAt });
      queue.free(worker);
      // A full fleet pays for the submission, too.
      if (isClosed) this.visitStore(() => this.queue(this.time));
      this.assign(queue);
    };
    const answer = (): void =>
      worker.core.serve(
        this.stepCpuMs,
        next(() => this.visitStore(next(() => this.visitStore(next(end))))),
      );
    const ask = (): void =>
      this.after(isModelConstant ? modelMs : -Math.log(1 - this.random()) * modelMs, next(answer));
    this.visitStore(next(() => worker.core.serve(this.stepCpuMs, next(ask))));
  }

  /** Another worker runs it from its last event on; here, from its begin. */
  private takeOver(submittedAt: number): void {
    this.after(HEARTBEAT_MS + this.random() * LOOK_MS, () => this.queue(submittedAt));
  }

  private visitStore(done: () => void): void {
    const store = this.stores[Math.floor(this.random() * this.stores.length)];
    const visit = (): void => store?.serve(this.visitMs, done);
    if (this.machine) this.machine.serve(this.visitCpuMs, visit);
    else visit();
  }

  private loseThird(): void {
    for (const worker of this.workers.slice(0, Math.floor(this.workers.length / 3))) worker.isLost = true;
  }
}
