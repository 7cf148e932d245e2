import { randomUUID } from 'node:crypto';

import type { InvocationAddress } from '@adorn/fleet';

import { type BenchPlace, newQueue } from './bench-machine.js';

/** What a queue takes whose handler does nothing. */
export interface EngineFigures {
  /** Milliseconds from `put` to the handler, of one address after another, sorted. */
  readonly delivered: readonly number[];
  readonly perSecond: number;
}

/** The engine without runs, through its queue: addresses of different sessions, and a handler that does nothing. */
export async function measureEngine(place: BenchPlace, addresses: number): Promise<EngineFigures> {
  const queue = newQueue(place);
  await queue.open();
  const arrivals = new Map<string, () => void>();
  await queue.take(({ invocationId }) => {
    arrivals.get(invocationId)?.();
    return Promise.resolve();
  }, place.concurrency);
  const deliver = async (): Promise<number> => {
    const begun = performance.now();
    const invocationId = randomUUID();
    const arrived = new Promise<void>((resolve) => arrivals.set(invocationId, resolve));
    await queue.put(addressOf(invocationId));
    await arrived;
    return performance.now() - begun;
  };
  for (let no = 0; no < WARM_UP; no++) await deliver();
  const delivered: number[] = [];
  for (let no = 0; no < addresses; no++) delivered.push(await deliver());
  const begun = performance.now();
  let left = addresses * 4;
  const total = left;
  const work = async (): Promise<void> => {
    while (left-- > 0) await deliver();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const seconds = (performance.now() - begun) / 1000;
  await queue.close(2000);
  return { delivered: delivered.toSorted((left, right) => left - right), perSecond: total / seconds };
}

const WARM_UP = 20;
const AT_ONCE = 20;

function addressOf(invocationId: string): InvocationAddress {
  return { appName: 'engine', userId: 'ada', sessionId: invocationId, invocationId };
}
