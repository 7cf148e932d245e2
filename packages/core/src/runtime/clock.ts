import { shareClass } from '../metadata/shared-class.js';

/** The maximum delay of a Node timer, in milliseconds; a longer one fires at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * The source of time, which tests can replace. Its own container identifier. Every limit, grace and delay of a run is
 * measured by the clock of its runner.
 */
export abstract class Clock {
  static {
    shareClass(this, 'Clock');
  }

  /** Seconds since 1970 as a float: the unit of every timestamp in Adorn. */
  abstract now(): number;

  /**
   * Calls back once after a number of milliseconds. Default: by a timer of Node.js.
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

/** The clock of what belongs to no runner. */
export const SYSTEM_CLOCK: Clock = new SystemClock();

/**
 * Calls back once after a number of milliseconds, by a clock.
 *
 * @returns a function that cancels the callback
 */
export function startTimer(clock: Clock, milliseconds: number, callback: () => void): () => void {
  if (clock.after) return clock.after(milliseconds, callback);
  let timer: NodeJS.Timeout;
  const wait = (left: number): void => {
    const step = Math.min(left, LONGEST_TIMER);
    timer = setTimeout(() => {
      if (left > step) wait(left - step);
      else callback();
    }, step);
  };
  wait(milliseconds);
  return () => {
    clearTimeout(timer);
  };
}
