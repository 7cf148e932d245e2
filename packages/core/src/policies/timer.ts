import type { Cancellation } from '../invocation/cancellation.js';
import { type Clock, startTimer } from '../runtime/clock.js';
import { unlessCancelled } from './unless-cancelled.js';

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
