import { type FleetModel, simulateFleet } from './fleet-model.js';

/** A run takes 20 ms of its worker and 20 ms of the store and the engine; the store is fast. */
const TIMES = {
  workerCpuMs: 20,
  fleetCpuMs: 40,
  commits: 4,
  writes: 4,
  idleCommits: 0,
  deliveryMs: 1,
  storeCommitsPerSecond: 100_000,
  checks: [],
};
const MODEL: FleetModel = {
  times: TIMES,
  workers: 4,
  concurrency: 10,
  partitions: 1,
  rate: Infinity,
  modelMs: 10,
  isModelConstant: true,
  durationMs: 20_000,
  seed: 1,
};

describe('the simulated fleet', () => {
  it.each([
    ['four workers with a core each do what their cores do', {}, (4 * 1000) / 20],
    ['four workers on two cores share them with the store', { sharedCores: 2 }, (2 * 1000) / 40],
    [
      'four workers on cores of which others use a part do as much less',
      { sharedCores: 1.5 },
      (1.5 * 1000) / 40,
    ],
    ['one worker uses one core of many, as it has one thread', { workers: 1, sharedCores: 64 }, 1000 / 20],
  ])('knows cores: %s', (_what, stated, expected) => {
    const { runsPerSecond } = simulateFleet({ ...MODEL, ...stated });
    expect(runsPerSecond / expected).toBeCloseTo(1, 1);
  });

  it.each([
    ['a worker with a free place takes the next run', undefined, 4 * 10 * 10],
    ['even shares do as much', [0.25, 0.25, 0.25, 0.25], 4 * 10 * 10],
    [
      'the worker with half of the runs is the last one, and has ten at a time',
      [0.5, 0.2, 0.2, 0.1],
      2 * 10 * 10,
    ],
  ])('knows a burst: %s', (_what, shares, expected) => {
    const times = { ...TIMES, workerCpuMs: 0.01, fleetCpuMs: 0.02 };
    const load = { ...MODEL, times, modelMs: 100, burst: 4000, shares, durationMs: 60_000 };
    expect(simulateFleet(load).runsPerSecond / expected).toBeCloseTo(1, 1);
  });

  it('leaves the store less for runs the more workers look at it', () => {
    const times = { ...TIMES, storeCommitsPerSecond: 1000 };
    const rates = [0, 200].map(
      (idleCommits) => simulateFleet({ ...MODEL, times: { ...times, idleCommits } }).runsPerSecond,
    );
    expect(rates[0]).toBeGreaterThan((rates[1] ?? Infinity) * 1.5);
  });
});
