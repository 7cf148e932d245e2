import { setTimeout } from 'node:timers/promises';

/** Timers; specs pass their own, so that they do not wait. */
export interface Timing {
  /** Milliseconds since the epoch. */
  now(): number;
  /** From 0 to just under 1. */
  random(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const SYSTEM_TIMING: Timing = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: async (ms, signal) => {
    await setTimeout(ms, undefined, { signal }).catch(() => {
      signal.throwIfAborted();
    });
  },
};
