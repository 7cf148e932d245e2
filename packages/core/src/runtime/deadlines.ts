/** The maximum delay of a Node timer, in milliseconds; a longer one fires at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** An entry of a {@link DeadlineList}. A removed one refers to nothing. */
export interface Deadline {
  readonly time: number;
  /** Undefined once it is removed. */
  expired: (() => void) | undefined;
  previous: Deadline | undefined;
  next: Deadline | undefined;
}

/**
 * Deadlines of one length. They end in the order in which they were added, so one timer serves them all: a timer for
 * each call would cost more than its gates. The timer is reused by later entries, and keeps the process alive only while
 * the list is not empty.
 */
export class DeadlineList {
  private first: Deadline | undefined;
  private last: Deadline | undefined;
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
    const previous = this.last;
    const deadline: Deadline = { time: performance.now() + this.limit, expired, previous, next: undefined };
    this.last = deadline;
    if (previous) previous.next = deadline;
    else this.first = deadline;
    if (!this.timer) this.timer = this.wakeAfter(this.limit);
    else if (!previous) this.timer.ref();
    return deadline;
  }

  remove(deadline: Deadline): void {
    if (!deadline.expired) return;
    const { previous, next } = deadline;
    if (previous) previous.next = next;
    else this.first = next;
    if (next) next.previous = previous;
    else this.last = previous;
    deadline.expired = deadline.previous = deadline.next = undefined;
    if (!this.first) this.timer?.unref();
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
    for (let due = this.first; due; due = this.first) {
      const { time, expired } = due;
      if (time > now) {
        this.timer ??= this.wakeAfter(time - now);
        return;
      }
      this.remove(due);
      expired?.();
    }
    if (!this.timer) this.unused();
  }
}
