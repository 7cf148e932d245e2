import { Clock } from '../runtime/clock.js';
import { Logger } from '../runtime/logger.js';

/** Its time goes on as soon as somebody waits, for properties over many runs. */
export class HurriedClock extends Clock {
  private milliseconds = 1_700_000_000_000;

  now(): number {
    return this.milliseconds / 1000;
  }

  override after(milliseconds: number, callback: () => void): () => void {
    const due = this.milliseconds + milliseconds;
    let isCancelled = false;
    setImmediate(() => {
      if (isCancelled) return;
      this.advance(due - this.milliseconds);
      callback();
    });
    return () => {
      isCancelled = true;
    };
  }

  /** @param milliseconds ignored unless positive */
  advance(milliseconds: number): void {
    this.milliseconds += Math.max(0, milliseconds);
  }
}

/** Writes nothing. */
export class QuietLogger extends Logger {
  debug = (): void => undefined;
  info = (): void => undefined;
  warn = (): void => undefined;
  error = (): void => undefined;
}
