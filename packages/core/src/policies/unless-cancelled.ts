import { type Cancellable, type Cancellation, InvocationCancelledError } from '../invocation/cancellation.js';
import { KEPT_SHAPES } from '../runtime/kept-shapes.js';

/**
 * Waits for a promise until the invocation is cancelled.
 *
 * @param isDuringCall true if a tool has run, so that the outcome of its call is unknown
 * @throws {InvocationCancelledError} on cancellation; the promise is abandoned
 */
export function unlessCancelled<Result>(
  waiting: PromiseLike<Result>,
  cancellation: Cancellation,
  isDuringCall = false,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const watcher = new Watcher(reject, isDuringCall);
    cancellation.add(watcher);
    waiting.then(
      (result) => {
        cancellation.remove(watcher);
        resolve(result);
      },
      (error: unknown) => {
        cancellation.remove(watcher);
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- anything may be thrown
        reject(error);
      },
    );
  });
}

class Watcher implements Cancellable {
  constructor(
    private readonly reject: (error: Error) => void,
    private readonly isDuringCall: boolean,
  ) {
    KEPT_SHAPES.waiting = this;
  }

  cancelled(): void {
    this.reject(this.isDuringCall ? InvocationCancelledError.duringCall() : new InvocationCancelledError());
  }
}
