import { PerformanceObserver } from 'node:perf_hooks';

import { offers } from '../adapter.js';
import { collectGarbage } from '../collect-garbage.js';
import { pause } from '../pause.js';
import { type Measurement, NOT_OFFERED } from './measurement.js';
import { runTurn, warmUp } from './run-turn.js';

/**
 * Kilobytes allocated per turn: how far the heap grows over a few turns while nothing is collected. The child has
 * a young generation large enough for that; `collections` must be 0 for `kb` to mean anything.
 */
export const measureAllocation: Measurement = async (adapter, { kind = 'A', warm = 60, iterations = 20 }) => {
  if (!offers(adapter, kind)) return NOT_OFFERED;
  const bench = await adapter.setup({ kind, delayMs: 0 });
  await warmUp(bench, kind, warm);
  collectGarbage();
  await pause(50);

  let collections = 0;
  const observer = new PerformanceObserver((list) => {
    collections += list.getEntries().length;
  });
  observer.observe({ entryTypes: ['gc'] });
  await pause(10);
  const before = process.memoryUsage().heapUsed;
  for (let turn = 0; turn < iterations; turn++) await runTurn(bench, kind);
  const grown = process.memoryUsage().heapUsed - before;
  await pause(20);
  observer.disconnect();
  return { kb: grown / iterations / 1024, collections };
};
