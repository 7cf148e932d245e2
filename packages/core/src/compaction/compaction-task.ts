import { setImmediate } from 'node:timers/promises';

/** One summary under way, which can be given up. */
export class CompactionTask {
  /** When it is over, however it ended; rejects where it failed or was given up. */
  readonly done: Promise<void>;
  private readonly controller = new AbortController();
  private cancelled = false;

  /**
   * @param work begun after whoever is running now; it ends soon after the signal is aborted
   * @param limitMs when the signal is aborted at the latest
   */
  constructor(work: (signal: AbortSignal) => Promise<void>, limitMs: number) {
    this.done = this.run(work, limitMs);
  }

  get isCancelled(): boolean {
    return this.cancelled;
  }

  /** Resolves when nothing of it goes on any more. */
  async cancel(): Promise<void> {
    this.cancelled = true;
    this.controller.abort(new Error('The summary is not wanted any more.'));
    await this.ended();
  }

  /** Waits for it, but no longer than that; then gives it up. */
  async endWithin(graceMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([this.ended(), grace]);
    clearTimeout(timer);
    await this.cancel();
  }

  private ended(): Promise<void> {
    return this.done.catch(() => undefined);
  }

  private async run(work: (signal: AbortSignal) => Promise<void>, limitMs: number): Promise<void> {
    await setImmediate();
    const { signal } = this.controller;
    const timer = setTimeout(() => {
      this.controller.abort(new Error(`There was no summary within ${String(limitMs)} ms.`));
    }, limitMs);
    timer.unref();
    try {
      signal.throwIfAborted();
      await work(signal);
    } finally {
      clearTimeout(timer);
    }
  }
}
