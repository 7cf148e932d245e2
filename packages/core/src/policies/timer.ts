import type { Cancellation } from '../invocation/cancellation.js';
import type { Clock } from '../runtime/clock.js';
import { unlessCancelled } from './unless-cancelled.js';

/**
 * Calls back once after a number of milliseconds by the clock of the runner.
 *
 * @returns a function that cancels the callback
 */
export function startTimer(clock: Clock, milliseconds: number, callback: () => void): () => void {
  if (clock.after !== undefined) return clock.after(milliseconds, callback);
  const timer = setTimeout(callback, milliseconds);
  return () => {
    clearTimeout(timer);
  };
}

/**
 * Waits a number of milliseconds by the clock of the runner.
 *
 * @throws {InvocationCancelledError} on cancellation; the timer is cancelled
 */
export async function delay(milliseconds: number, clock: Clock, cancellation: Cancellation): Promise<void> {
  let cancel: (() => void) | undefined;
  const waiting = new Promise<void>((resolve) => {
    cancel = startTimer(clock, milliseconds, resolve);
  });
  try {
    await unlessCancelled(waiting, cancellation);
  } finally {
    cancel?.();
  }
}
