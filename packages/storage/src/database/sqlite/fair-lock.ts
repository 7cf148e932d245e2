/** How long the holders may keep the event loop from its next turn, in milliseconds. */
const SLICE = 10;

/**
 * A lock for one holder at a time, in the order of the requests. Timers and sockets get their turn, however many wait
 * and however often one comes again.
 */
export class FairLock {
  private readonly waiting: (() => void)[] = [];
  /** True if somebody has the lock. */
  isHeld = false;
  /** When the event loop last turned, as far as this lock knows; undefined if the lock was not asked for since. */
  private turnedAt: number | undefined;

  /** `now` tells the time in milliseconds. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** True if the lock would be granted without waiting, also not for the event loop. */
  get isFree(): boolean {
    return !this.isHeld && !this.isTurnDue();
  }

  acquire(): Promise<void> {
    if (this.isFree) {
      this.isHeld = true;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      if (this.isHeld) return;
      this.isHeld = true;
      setImmediate(() => {
        this.grant();
      });
    });
  }

  release(): void {
    if (this.waiting.length > 0 && this.isTurnDue()) {
      setImmediate(() => {
        this.grant();
      });
    } else {
      this.grant();
    }
  }

  private grant(): void {
    const next = this.waiting.shift();
    if (!next) this.isHeld = false;
    else next();
  }

  private isTurnDue(): boolean {
    const now = this.now();
    if (this.turnedAt === undefined) {
      this.turnedAt = now;
      setImmediate(() => (this.turnedAt = undefined));
    }
    return now - this.turnedAt > SLICE;
  }
}
