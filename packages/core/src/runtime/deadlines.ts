/** The maximum delay of a Node timer, in milliseconds; a longer one fires at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** An entry of a {@link DeadlineList}. */
export interface Deadline {
  readonly time: number;
  /**
   * Undefined once it is removed. When a Set grows, its old table keeps the entries of that moment, and refers to the
   * new table: without this, dead tables would keep the objects of earlier calls alive until a full collection.
   */
  expired: (() => void) | undefined;
}

/**
 * Deadlines of one length. They end in the order in which they were added, so one timer serves them all: a timer for
 * each call would cost more than its gates. The timer is reused by later entries, and keeps the process alive only while
 * the list is not empty.
 */
export class DeadlineList {
  private readonly deadlines = new Set<Deadline>();
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param limit milliseconds
   * @param unused called when the list has been empty for that time
   */
  constructor(
    private readonly limit: number,
    private readonly unused: () => void,
  ) {}

  /** @param expired called once at the deadline, unless the entry is removed before */
  add(expired: () => void): Deadline {
    const deadline = { time: performance.now() + this.limit, expired };
    this.deadlines.add(deadline);
    if (!this.timer) this.timer = this.wakeAfter(this.limit);
    else if (this.deadlines.size === 1) this.timer.ref();
    return deadline;
  }

  remove(deadline: Deadline): void {
    deadline.expired = undefined;
    if (this.deadlines.delete(deadline) && this.deadlines.size === 0) this.timer?.unref();
  }

  private wakeAfter(milliseconds: number): NodeJS.Timeout {
    return setTimeout(
      () => {
        this.timer = undefined;
        this.expire(performance.now());
      },
      Math.min(milliseconds, LONGEST_TIMER),
    );
  }

  private expire(now: number): void {
    for (const deadline of this.deadlines) {
      const { time, expired } = deadline;
      if (time > now) {
        this.timer ??= this.wakeAfter(time - now);
        return;
      }
      this.remove(deadline);
      expired?.();
    }
    if (!this.timer) this.unused();
  }
}
