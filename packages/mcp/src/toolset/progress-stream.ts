/** How many values wait for a slow reader; older ones are dropped, since the newest says most. */
const MOST_WAITING = 64;

/** Values that one side pushes and the other iterates. */
export class ProgressStream<Value> implements AsyncIterable<Value> {
  private readonly waiting: Value[] = [];
  private hasEnded = false;
  private wake: (() => void) | undefined;

  push(value: Value): void {
    if (this.waiting.length >= MOST_WAITING) this.waiting.shift();
    this.waiting.push(value);
    this.wake?.();
  }

  end(): void {
    this.hasEnded = true;
    this.wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Value, void, undefined> {
    for (;;) {
      const value = this.waiting.shift();
      if (value !== undefined) yield value;
      else if (this.hasEnded) return;
      else
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
    }
  }
}
