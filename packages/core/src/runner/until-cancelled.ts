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
  private reject: ((error: unknown) => void) | undefined;
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
    this.reject = reject;
    this.source.next().then(this.step, this.fail);
  };

  private readonly step = (result: IteratorResult<Item, void>): void => {
    if (result.done === true) this.end();
    this.settle?.(result);
  };

  private readonly fail = (error: unknown): void => {
    this.end();
    this.reject?.(error);
  };

  /** Has the agent's `finally` blocks run, for as long as the grace lasts. */
  return(): Promise<IteratorResult<Item, void>> {
    if (this.isOver) return Promise.resolve(END);
    return new Promise((resolve, reject) => {
      this.settle = resolve;
      this.reject = reject;
      this.grace ??= this.startGrace();
      this.source.return().then(() => {
        this.end();
        resolve(END);
      }, this.fail);
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

  private end(): void {
    clearTimeout(this.grace);
    this.cancellation.remove(this);
  }
}

function noop(): void {
  // Nobody waits for what was left behind, nor for what it throws.
}
