import { startTimer, SystemClock } from '@adorn/core/backend';

import { ManualClock } from './manual.clock.js';

/** A timer that real time ends, unless `advance` does before. */
interface RealTimer {
  /** In milliseconds of the clock. */
  readonly dueAt: number;
  readonly callback: () => void;
  cancel: () => void;
}

/**
 * A clock that goes as fast as real time from a fixed beginning, and that a test can set forward: what waits for an hour is
 * tested by `advance(3_600_000)`, and what waits for a moment needs no care.
 */
export class RunningClock extends ManualClock {
  private readonly system = new SystemClock();
  private readonly real = new Set<RealTimer>();
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
    const timer: RealTimer = {
      dueAt: this.milliseconds + milliseconds,
      callback: once,
      cancel: () => undefined,
    };
    this.real.add(timer);
    this.start(timer);
    const cancel = (): void => {
      cancelAdvanced();
      timer.cancel();
      this.real.delete(timer);
    };
    return cancel;
  }

  /** What is not due yet waits for what is left of its time. */
  override async advance(milliseconds: number): Promise<void> {
    this.catchUp();
    await super.advance(milliseconds);
    this.catchUp();
    for (const timer of this.real) {
      timer.cancel();
      this.start(timer);
    }
  }

  private start(timer: RealTimer): void {
    timer.cancel = startTimer(this.system, Math.max(0, timer.dueAt - this.milliseconds), timer.callback);
  }

  /** Adds the real time that has passed. */
  private catchUp(): void {
    const now = performance.now();
    this.milliseconds += now - this.began;
    this.began = now;
  }
}
