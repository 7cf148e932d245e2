/**
 * What the delivery of an event to a reader that waits for it may take, in milliseconds. It counts as the tool's own
 * time: a tool that yields without end must reach its limit although it does little between two events.
 */
const DELIVERY = 1;

/** The time that a tool spends waiting for the reader of its progress events. Its time limit leaves it out. */
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

  /** Calls the listener once, when the present wait ends. */
  onceEnded(listener: () => void): void {
    this.listeners.push(listener);
  }
}
