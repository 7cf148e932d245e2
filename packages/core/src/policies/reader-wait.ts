/** The time that a tool spends waiting for the reader of its progress events. Its time limit leaves it out. */
export class ReaderWait {
  private ended = 0;
  private since: number | undefined;
  private listeners: (() => void)[] = [];

  /** Milliseconds of all waits so far. */
  get elapsed(): number {
    return this.ended + (this.since === undefined ? 0 : performance.now() - this.since);
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
