/**
 * Something that others wait for. Each wait looks again when it has changed.
 *
 * ```ts
 * await changed.until(() => calls.length > 0);
 * // elsewhere:
 * calls.push(call);
 * changed.notify();
 * ```
 */
export class Condition {
  private waiting: (() => void)[] = [];

  /** Resolves once `isMet` returns true; at once if it does so already. */
  async until(isMet: () => boolean): Promise<void> {
    while (!isMet()) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Has every wait look again. */
  notify(): void {
    const { waiting } = this;
    this.waiting = [];
    for (const lookAgain of waiting) lookAgain();
  }
}
