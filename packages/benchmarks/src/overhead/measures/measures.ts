import type { Measurement } from './measurement.js';

/** Every measure that sets an adapter up, loaded when it is asked for. Import time is apart: it must load nothing. */
export const MEASUREMENTS = {
  verify: async () => (await import('./verify.js')).verify,
  'first-turn': async () => (await import('./first-turn.js')).measureFirstTurn,
  overhead: async () => (await import('./overhead.js')).measureOverhead,
  replay: async () => (await import('./replay.js')).measureReplay,
  growth: async () => (await import('./growth.js')).measureGrowth,
  'parallel-tools': async () => (await import('./parallel-tools.js')).measureParallelTools,
  allocation: async () => (await import('./allocation.js')).measureAllocation,
  concurrency: async () => (await import('./concurrency.js')).measureConcurrency,
} satisfies Record<string, () => Promise<Measurement>>;

export const MEASURES = [
  'verify',
  'import-time',
  'first-turn',
  'overhead',
  'replay',
  'growth',
  'parallel-tools',
  'allocation',
  'concurrency',
] as const;

export type MeasureName = (typeof MEASURES)[number];
