import { type Cancellable, type Cancellation, InvocationCancelledError } from '../invocation/cancellation.js';

/** A stream that ends when the invocation does, even where who feeds it does not listen to its signal. */
export class CancellableStream<Item>
  implements AsyncIterable<Item>, AsyncIterator<Item, void, undefined>, Cancellable
{
  private resolve: ((result: IteratorResult<Item, void>) => void) | undefined;
  private reject: ((error: unknown) => void) | undefined;

  constructor(
    private readonly source: AsyncIterator<Item, void, undefined>,
    private readonly cancellation: Cancellation,
  ) {
    cancellation.add(this);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** @throws {InvocationCancelledError} */
  next(): Promise<IteratorResult<Item, void>> {
    if (this.cancellation.isCancelled) return Promise.reject(new InvocationCancelledError());
    return new Promise(this.askSource);
  }

  /** Made once for all steps: pieces are many. */
  private readonly askSource = (
    resolve: (result: IteratorResult<Item, void>) => void,
    reject: (error: unknown) => void,
  ): void => {
    this.resolve = resolve;
    this.reject = reject;
    this.source.next().then(this.settle, reject);
  };

  private readonly settle = (result: IteratorResult<Item, void>): void => {
    if (result.done === true) this.cancellation.remove(this);
    this.resolve?.(result);
  };

  async return(): Promise<IteratorResult<Item, void>> {
    this.cancellation.remove(this);
    await this.source.return?.();
    return { done: true, value: undefined };
  }

  /** The source is told to end, and not waited for: it may be the one that hangs. */
  cancelled(): void {
    this.reject?.(new InvocationCancelledError());
    this.source.return?.().catch(() => undefined);
  }
}
