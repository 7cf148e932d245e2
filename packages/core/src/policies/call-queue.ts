import { type Cancellable, type Cancellation, InvocationCancelledError } from '../invocation/cancellation.js';

/** Calls that wait for their turn, in the order in which they came. */
export class CallQueue {
  private readonly waiting = new Set<WaitingCall>();

  get size(): number {
    return this.waiting.size;
  }

  /**
   * Waits until the call is let go.
   *
   * @param left called if it is cancelled before
   * @throws {InvocationCancelledError}
   */
  wait(cancellation: Cancellation, left: () => void = noop): Promise<void> {
    return new Promise((resolve, reject) => {
      const call = new WaitingCall(cancellation, resolve, (error) => {
        this.waiting.delete(call);
        left();
        reject(error);
      });
      this.waiting.add(call);
      cancellation.add(call);
    });
  }

  /** Lets the first call go; false if none waits. */
  letGo(): boolean {
    const [first] = this.waiting;
    if (first === undefined) return false;
    this.waiting.delete(first);
    first.proceed();
    return true;
  }
}

/** Leaves the queue in the moment of its cancellation, so that it is never let go afterwards. */
class WaitingCall implements Cancellable {
  constructor(
    private readonly cancellation: Cancellation,
    private readonly resolve: () => void,
    private readonly leave: (error: Error) => void,
  ) {}

  proceed(): void {
    this.cancellation.remove(this);
    this.resolve();
  }

  cancelled(): void {
    this.leave(new InvocationCancelledError());
  }
}

function noop(): void {
  // Nobody has to know.
}
