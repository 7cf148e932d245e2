/**
 * Values on their way from writers to one reader. A writer continues when the reader requests the next value, so nothing
 * is made before it is requested. Several writers take turns.
 *
 * ```ts
 * await channel.turn(); // A value is requested.
 * channel.push(value);
 * await channel.requested(); // The reader has taken it and wants more.
 * ```
 *
 * Without a bound, the values wait for the reader. With a size, the oldest are dropped for newer ones.
 *
 * ```ts
 * const channel = Channel.unbounded<Piece>({ size: 256 });
 * channel.push(piece);
 * ```
 */
export class Channel<Value> {
  private readonly values: Value[] = [];
  private readonly readers: Settle<IteratorResult<Value, void>>[] = [];
  /** Writers with a value, in the order in which they came. */
  private readonly waiting: Settle<void>[] = [];
  /** Writers whose values were taken, until the next request. */
  private readonly resting: Settle<void>[] = [];
  /** How many requests a writer has taken and not answered yet. */
  private promised = 0;
  private isUnbounded = false;
  /** The most values that wait for the reader. */
  private capacity = Infinity;
  private ending: (() => Promise<IteratorResult<Value, void>>) | undefined;

  /**
   * A channel whose writers do not wait for the reader.
   *
   * @param size the most values that wait for it: then the oldest is dropped. Default: no limit
   */
  static unbounded<Value>({ size = Infinity }: { readonly size?: number } = {}): Channel<Value> {
    const channel = new Channel<Value>();
    channel.isUnbounded = true;
    channel.capacity = size;
    return channel;
  }

  /** The number of values that wait for the reader. */
  get size(): number {
    return this.values.length;
  }

  /** The number of these among the values that wait for the reader. */
  count(isCounted: (value: Value) => boolean): number {
    return this.values.filter(isCounted).length;
  }

  /** True if the reader waits for a value. */
  get hasReader(): boolean {
    return this.readers.length > 0;
  }

  /** True if the writers wait for a request. */
  get isIdle(): boolean {
    return this.readers.length === 0 && !this.isUnbounded;
  }

  /** Takes the next request, and waits for it. */
  turn(): Promise<void> {
    if (this.isUnbounded) return Promise.resolve();
    if (this.readers.length <= this.promised)
      return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
    this.promised++;
    return Promise.resolve();
  }

  /** Passes a value on to the reader. */
  push(value: Value): void {
    if (this.promised > 0) this.promised--;
    const reader = this.readers.shift();
    if (reader) {
      reader.resolve({ done: false, value });
      return;
    }
    if (this.values.length >= this.capacity) this.values.shift();
    this.values.push(value);
  }

  /** Waits for the next request, without taking it. */
  requested(): Promise<void> {
    if (this.isUnbounded || this.readers.length > this.promised) return Promise.resolve();
    return new Promise((resolve, reject) => this.resting.push({ resolve, reject }));
  }

  /** The next value; after the end, what `end` was given. */
  next(): Promise<IteratorResult<Value, void>> {
    if (this.values.length > 0) return Promise.resolve({ done: false, value: this.values.shift() as Value });
    if (this.ending) return this.ending();
    return new Promise((resolve, reject) => {
      this.readers.push({ resolve, reject });
      for (const writer of this.resting.splice(0)) writer.resolve();
      if (this.waiting.length === 0) return;
      this.promised++;
      this.waiting.shift()?.resolve();
    });
  }

  /** Lifts the bound: nobody waits for the reader from now on. */
  unbind(): void {
    this.isUnbounded = true;
    for (const { resolve } of this.takeWriters()) resolve();
  }

  /** Throws an error at the writers that wait for the reader. */
  interrupt(error: unknown): void {
    for (const { reject } of this.takeWriters()) reject(error);
  }

  /** Ends the values. @param ending called for each request after the last value. Default: there is none. */
  end(ending: () => Promise<IteratorResult<Value, void>> = noMore): void {
    this.ending = ending;
    for (const { resolve } of this.readers.splice(0)) resolve(ending());
  }

  /** Throws an error at the readers that wait. Later requests wait again. */
  refuse(error: unknown): void {
    this.promised = 0;
    for (const { reject } of this.readers.splice(0)) reject(error);
  }

  /** Drops values that nobody has read. @param isDropped default: all of them */
  drop(isDropped: (value: Value) => boolean = all): void {
    const kept = this.values.filter((value) => !isDropped(value));
    this.values.splice(0, this.values.length, ...kept);
  }

  private takeWriters(): Settle<void>[] {
    return [...this.resting.splice(0), ...this.waiting.splice(0)];
  }
}

/** How a promise is settled. */
interface Settle<Value> {
  readonly resolve: (value: Value | PromiseLike<Value>) => void;
  readonly reject: (error: unknown) => void;
}

function all(): boolean {
  return true;
}

function noMore(): Promise<IteratorResult<never, void>> {
  return Promise.resolve({ done: true, value: undefined });
}
