/** The time, injected so that tests decide it. Its own container identifier. */
export abstract class Clock {
  /** Seconds since 1970 as a float: the unit of every timestamp in Adorn. */
  abstract now(): number;

  /**
   * Calls back once after a number of milliseconds: the waits of retries and rate limits. Default: a timer of Node.
   *
   * @returns a function that cancels the callback
   */
  after?(milliseconds: number, callback: () => void): () => void;
}

/** The machine's clock, to the millisecond. */
export class SystemClock extends Clock {
  now(): number {
    return Date.now() / 1000;
  }
}
