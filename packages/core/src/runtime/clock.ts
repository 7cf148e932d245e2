/** The source of time, which tests can replace. Its own container identifier. */
export abstract class Clock {
  /** Seconds since 1970 as a float: the unit of every timestamp in Adorn. */
  abstract now(): number;

  /**
   * Calls back once after a number of milliseconds. Used for retries, rate limits and time budgets. Default: a timer
   * of Node.js.
   *
   * @returns a function that cancels the callback
   */
  after?(milliseconds: number, callback: () => void): () => void;
}

/** The system clock, with a resolution of one millisecond. */
export class SystemClock extends Clock {
  now(): number {
    return Date.now() / 1000;
  }
}

/** The longest timer of Node.js: 24.8 days. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Calls back once after a number of milliseconds, at most 24.8 days, by a clock.
 *
 * @returns a function that cancels the callback
 */
export function startTimer(clock: Clock, milliseconds: number, callback: () => void): () => void {
  if (clock.after !== undefined) return clock.after(milliseconds, callback);
  const timer = setTimeout(callback, Math.min(milliseconds, LONGEST_TIMER_MS));
  return () => {
    clearTimeout(timer);
  };
}
