/** The maximum delay of a Node timer, in milliseconds; a longer one fires at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** An entry of a {@link DeadlineList}, with its neighbours; itself once it is removed. */
export class Deadline {
  previous: Deadline = this;
  next: Deadline = this;

  constructor(
    readonly time: number,
    readonly expired?: () => void,
  ) {}
}

/**
 * Deadlines of one length. They end in the order in which they were added, so one timer serves them all: a timer for
 * each call would cost more than its gates. The timer is reused by later entries, and keeps the process alive only while
 * the list is not empty.
 */
export class DeadlineList {
  /** Before the first deadline, and behind the last. */
  private readonly end = new Deadline(Infinity);
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
    const deadline = new Deadline(performance.now() + this.limit, expired);
    const { end, timer } = this;
    deadline.previous = end.previous;
    deadline.next = end;
    end.previous = end.previous.next = deadline;
    if (!timer) this.timer = this.wakeAfter(this.limit);
    else if (end.next === end.previous) timer.ref();
    return deadline;
  }

  remove(deadline: Deadline): void {
    const { previous, next } = deadline;
    previous.next = next;
    next.previous = previous;
    deadline.previous = deadline.next = deadline;
    if (this.isEmpty) this.timer?.unref();
  }

  private get isEmpty(): boolean {
    return this.end.next === this.end;
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
    while (this.end.next.time <= now) {
      const due = this.end.next;
      this.remove(due);
      due.expired?.();
    }
    if (!this.isEmpty) this.timer ??= this.wakeAfter(this.end.next.time - now);
    else if (!this.timer) this.unused();
  }
}
