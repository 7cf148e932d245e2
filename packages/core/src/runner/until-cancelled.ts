import type { Cancellable, Cancellation } from '../invocation/cancellation.js';

const END = Object.freeze({ done: true, value: undefined }) satisfies IteratorResult<never, void>;

/** How long a cancelled agent may take to end: to answer the calls that it made, and to run its `finally` blocks. */
const GRACE_MS = 500;

/** How many events it may yield in that time. An agent that does not stop may also keep timers from firing. */
const GRACE_EVENTS = 100;

/**
 * The events of an agent, for as long as its invocation lives and a moment longer. An agent that waits for something
 * that never comes, or that does not stop, is left behind.
 */
export class UntilCancelled<Item> implements AsyncIterableIterator<Item, void, undefined>, Cancellable {
  private settle: ((result: IteratorResult<Item, void>) => void) | undefined;
  private grace: NodeJS.Timeout | undefined;
  private eventsLeft = GRACE_EVENTS;
  private isOver = false;

  constructor(
    private readonly source: AsyncGenerator<Item, void, undefined>,
    private readonly cancellation: Cancellation,
  ) {
    cancellation.add(this);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Ends when the source does, or when the grace is over. */
  next(): Promise<IteratorResult<Item, void>> {
    if (this.cancellation.isCancelled && --this.eventsLeft < 0) this.leaveBehind();
    if (this.isOver) return Promise.resolve(END);
    return new Promise(this.askSource);
  }

  /** Made once for all steps: events of a stream are many. */
  private readonly askSource = (
    resolve: (result: IteratorResult<Item, void>) => void,
    reject: (error: unknown) => void,
  ): void => {
    this.settle = resolve;
    this.source.next().then(this.step, reject);
  };

  private readonly step = (result: IteratorResult<Item, void>): void => {
    if (result.done === true) this.end();
    this.settle?.(result);
  };

  /** Has the agent's `finally` blocks run, for as long as the grace lasts. */
  return(): Promise<IteratorResult<Item, void>> {
    if (this.isOver) return Promise.resolve(END);
    return new Promise((resolve, reject) => {
      this.settle = resolve;
      this.grace ??= this.startGrace();
      this.source.return().then(() => {
        this.end();
        resolve(END);
      }, this.endWith(reject));
    });
  }

  cancelled(): void {
    this.grace ??= this.startGrace();
  }

  private startGrace(): NodeJS.Timeout {
    return setTimeout(() => {
      this.leaveBehind();
    }, GRACE_MS);
  }

  /** Should it wake up later, it goes no further than its `finally` blocks. */
  private leaveBehind(): void {
    this.isOver = true;
    this.source.return().catch(noop);
    this.end();
    this.settle?.(END);
  }

  private endWith(reject: (error: unknown) => void): (error: unknown) => void {
    return (error) => {
      this.end();
      reject(error);
    };
  }

  private end(): void {
    clearTimeout(this.grace);
    this.cancellation.remove(this);
  }
}

function noop(): void {
  // Nobody waits for what was left behind, nor for what it throws.
}
