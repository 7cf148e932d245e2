/** A queue with one reader, which waits for the next item. */
export class EventQueue<Item> {
  private readonly items: Item[] = [];
  private hasEnded = false;
  private wake: (() => void) | undefined;

  /** @param onTake called after each item that the reader takes, and when it leaves */
  constructor(private readonly onTake: () => void) {}

  get size(): number {
    return this.items.length;
  }

  push(item: Item): void {
    if (this.hasEnded) return;
    this.items.push(item);
    this.wake?.();
  }

  /** Ends the queue, and drops the items in it. */
  leave(): void {
    this.items.length = 0;
    this.hasEnded = true;
    this.wake?.();
    this.onTake();
  }

  /** The next item; undefined after `leave`. */
  async next(): Promise<Item | undefined> {
    while (this.items.length === 0 && !this.hasEnded) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      this.wake = undefined;
    }
    const item = this.items.shift();
    this.onTake();
    return item;
  }
}
