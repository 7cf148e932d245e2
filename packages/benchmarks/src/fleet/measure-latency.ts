import { startWorker } from '@adorn/fleet';

import { type BenchPlace, followToEnd, openMachine, USER } from './bench-machine.js';
import { Workers } from './workers.js';

/** Milliseconds of each run, sorted. */
export interface Latencies {
  /** Until a submission was acknowledged. */
  readonly accepted: readonly number[];
  /** Until a reader knew that the run had ended. */
  readonly ended: readonly number[];
}

/** One submission after another, each in a session of its own, followed to its end by the process that submitted it. */
export async function measureLatency(place: BenchPlace, runs: number): Promise<Latencies> {
  const fleet = await openMachine(place);
  const workers = place.engine === 'process' ? undefined : await Workers.start(place, 1);
  await workers?.begin();
  const worker = workers ? undefined : await startWorker(fleet);
  const accepted: number[] = [];
  const ended: number[] = [];
  for (let no = -WARM_UP; no < runs; no++) {
    const begun = performance.now();
    const message = { userId: USER, sessionId: `latency${String(no)}`, message: 'Where is it?' };
    const { invocationId } = await fleet.submit(message);
    const acceptedAt = performance.now();
    await followToEnd(fleet, { ...message, invocationId });
    if (no < 0) continue;
    accepted.push(acceptedAt - begun);
    ended.push(performance.now() - begun);
  }
  await worker?.stop(2000);
  await workers?.stop();
  if (!worker) await fleet.close();
  await fleet.runner.close();
  return { accepted: accepted.toSorted(ascending), ended: ended.toSorted(ascending) };
}

/** The same runs without a queue: `runner.run` in the process that has the message. */
export async function measureRuns(place: BenchPlace, runs: number): Promise<readonly number[]> {
  const { runner, ...fleet } = await openMachine(place);
  const ended: number[] = [];
  for (let no = -WARM_UP; no < runs; no++) {
    const begun = performance.now();
    await runner.run({ userId: USER, sessionId: `run${String(no)}`, message: 'Where is it?' });
    if (no >= 0) ended.push(performance.now() - begun);
  }
  await fleet.signals.close();
  await runner.close();
  return ended.toSorted(ascending);
}

const WARM_UP = 20;

function ascending(left: number, right: number): number {
  return left - right;
}
