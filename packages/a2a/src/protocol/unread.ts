/** Values that wait for their one reader. A writer never waits. */
export class Unread<Value> {
  private readonly values: Value[] = [];
  private isOver = false;
  private wake: (() => void) | undefined;

  /** The number of values that wait. */
  get size(): number {
    return this.values.length;
  }

  push(value: Value): void {
    this.values.push(value);
    this.wake?.();
  }

  end(): void {
    this.isOver = true;
    this.wake?.();
  }

  /** Undefined at the end. */
  async next(): Promise<Value | undefined> {
    while (this.values.length === 0 && !this.isOver) {
      await new Promise<void>((resolve) => (this.wake = resolve));
      this.wake = undefined;
    }
    return this.values.shift();
  }
}
