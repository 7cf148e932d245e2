import { startTimer, SystemClock } from '@adorn/core/backend';

import { ManualClock } from './manual.clock.js';

/**
 * A clock that goes as fast as real time from a fixed beginning, and that a test can set forward: what waits for an hour is
 * tested by `advance(3_600_000)`, and what waits for a moment needs no care.
 */
export class RunningClock extends ManualClock {
  private readonly system = new SystemClock();
  private began = performance.now();

  override now(): number {
    this.catchUp();
    return super.now();
  }

  override after(milliseconds: number, callback: () => void): () => void {
    this.catchUp();
    const once = (): void => {
      cancel();
      callback();
    };
    const cancelAdvanced = super.after(milliseconds, once);
    const cancelReal = startTimer(this.system, milliseconds, once);
    const cancel = (): void => {
      cancelAdvanced();
      cancelReal();
    };
    return cancel;
  }

  override async advance(milliseconds: number): Promise<void> {
    this.catchUp();
    await super.advance(milliseconds);
  }

  /** Adds the real time that has passed. */
  private catchUp(): void {
    const now = performance.now();
    this.milliseconds += now - this.began;
    this.began = now;
  }
}
