/**
 * The delivery time of an event to a waiting reader, in milliseconds. It counts as the tool's own time, so that a tool
 * that yields without end reaches its time limit.
 */
const DELIVERY = 1;

/** The time that a tool waits for the reader of its progress events. Its time limit does not count this time. */
export class ReaderWait {
  private ended = 0;
  private since: number | undefined;
  private listeners: (() => void)[] = [];

  /** Milliseconds of all waits so far, without the first millisecond of each. */
  get elapsed(): number {
    return (
      this.ended + (this.since === undefined ? 0 : Math.max(0, performance.now() - this.since - DELIVERY))
    );
  }

  get isWaiting(): boolean {
    return this.since !== undefined;
  }

  /** Waits until the reader has taken an event. */
  async until(taken: Promise<void>): Promise<void> {
    this.since = performance.now();
    try {
      await taken;
    } finally {
      this.ended = this.elapsed;
      this.since = undefined;
      for (const listener of this.listeners.splice(0)) listener();
    }
  }

  /** Calls the listener once, when the current wait ends. */
  onceEnded(listener: () => void): void {
    this.listeners.push(listener);
  }
}
