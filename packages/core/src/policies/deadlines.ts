/** Something that ends when its time is up. */
export interface Expiring {
  expired(): void;
}

/** The longest that a timer of Node's can wait; a longer one fires at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

const lists = new Map<number, DeadlineList>();

/** The deadlines of everything that may last so many milliseconds. */
export function deadlinesAfter(limit: number): DeadlineList {
  let list = lists.get(limit);
  if (list === undefined) lists.set(limit, (list = new DeadlineList(limit)));
  return list;
}

/**
 * Deadlines of one length: the first to come is the first to end, so one timer serves them all. Calls are many, and a
 * timer of its own would cost each of them more than its way through the gates. The timer is left for the calls that
 * follow, and keeps the process alive only while something is in the list.
 */
export class DeadlineList {
  private readonly deadlines = new Map<Expiring, number>();
  private timer: NodeJS.Timeout | undefined;
  /** Made the timer. Tests replace the clock, and a timer of an earlier one never fires. */
  private clock: typeof setTimeout | undefined;

  constructor(private readonly limit: number) {}

  /** How many entries wait for their time. */
  get size(): number {
    return this.deadlines.size;
  }

  add(expiring: Expiring): void {
    this.deadlines.set(expiring, performance.now() + this.limit);
    if (this.timer === undefined || this.clock !== setTimeout) this.timer = this.wakeAfter(this.limit);
    else if (this.deadlines.size === 1) this.timer.ref();
  }

  remove(expiring: Expiring): void {
    this.deadlines.delete(expiring);
    if (this.deadlines.size === 0) this.timer?.unref();
  }

  private wakeAfter(milliseconds: number): NodeJS.Timeout {
    this.clock = setTimeout;
    return setTimeout(
      () => {
        this.timer = undefined;
        this.expire(performance.now());
      },
      Math.min(milliseconds, LONGEST_TIMER),
    );
  }

  private expire(now: number): void {
    for (const [expiring, deadline] of this.deadlines) {
      if (deadline > now) {
        this.timer ??= this.wakeAfter(deadline - now);
        return;
      }
      this.deadlines.delete(expiring);
      expiring.expired();
    }
  }
}
