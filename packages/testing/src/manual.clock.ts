import { Clock } from '@adorn/core';

/** A timer that waits for its time. */
interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/**
 * A clock that moves only when a test moves it, for tests of cached, retried, limited and late tools.
 *
 * @example
 * const clock = new ManualClock();
 * const modules = [new ContainerModule(({ bind }) => void bind(Clock).toConstantValue(clock))];
 */
export class ManualClock extends Clock {
  protected milliseconds: number;
  private readonly timers = new Set<Timer>();

  /** @param start seconds since 1970; default: 1,700,000,000 */
  constructor(start = 1_700_000_000) {
    super();
    this.milliseconds = start * 1000;
  }

  override now(): number {
    return this.milliseconds / 1000;
  }

  override after(milliseconds: number, callback: () => void): () => void {
    const timer = { at: this.milliseconds + milliseconds, callback };
    this.timers.add(timer);
    return () => {
      this.timers.delete(timer);
    };
  }

  /** How many callbacks wait for their time. */
  get waiting(): number {
    return this.timers.size;
  }

  /**
   * Moves the time, backwards if the number is negative, and calls the callbacks that are due, in the order of their
   * times. What each of them begins has happened, as far as it needs no time, before the next is called.
   */
  async advance(milliseconds: number): Promise<void> {
    const end = this.milliseconds + milliseconds;
    for (let due = this.nextUntil(end); due; due = this.nextUntil(end)) {
      this.timers.delete(due);
      this.milliseconds = Math.max(this.milliseconds, due.at);
      due.callback();
      await settled();
    }
    this.milliseconds = end;
  }

  private nextUntil(end: number): Timer | undefined {
    const due = [...this.timers].filter(({ at }) => at <= end);
    return due.reduce<Timer | undefined>(
      (first, one) => (first && first.at <= one.at ? first : one),
      undefined,
    );
  }
}

/** That of Node, also while a test replaces the timers. */
const nextTurn = setImmediate;

async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise<void>((resolve) => nextTurn(resolve));
}
