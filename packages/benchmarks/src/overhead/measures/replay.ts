import type { ReplayBench } from '../adapter.js';
import { wallMicros } from '../clock.js';
import { FINAL_TEXT } from '../script.js';
import { median } from '../statistics.js';
import { type Measurement, NOT_OFFERED } from './measurement.js';

const STEPS = 100;

/** What an answer costs behind no finished step of a workflow and behind a hundred: the difference is the replay. */
export const measureReplay: Measurement = async (adapter, { warm = 200, iterations = 100 }) => {
  if (!adapter.setupReplay) return NOT_OFFERED;
  const without = await medianMicros(await adapter.setupReplay(0), warm, iterations);
  const behind = await medianMicros(await adapter.setupReplay(STEPS), warm, iterations);
  return { ms0: without / 1000, ms100: behind / 1000, microsPerStep: (behind - without) / STEPS };
};

async function medianMicros(bench: ReplayBench, warm: number, iterations: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < warm + iterations; round++) {
    const waiting = await bench.waiting();
    const started = wallMicros();
    const text = await bench.answer(waiting);
    times.push(wallMicros() - started);
    await bench.drop(waiting);
    if (text !== FINAL_TEXT) throw new Error(`The workflow ended with ${JSON.stringify(text)}.`);
  }
  return median(times.slice(warm)) ?? NaN;
}
