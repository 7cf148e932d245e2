import { AdornError } from '@adorn/schema';
import type { Event } from '../events/event.js';
import { type Clock, startTimer, SYSTEM_CLOCK } from '../runtime/clock.js';

/** A listener for the cancellation of an invocation. */
export interface Cancellable {
  /** Called once, synchronously. Must not throw. */
  cancelled(): void;
}

/** The cancellation of each created signal. */
const owners = new WeakMap<AbortSignal, Cancellation>();

/** The cancellation of an invocation, and the waits that end with it. Its signal is created on first access. */
export class Cancellation {
  private controller: AbortController | undefined;
  private readonly watchers = new Set<Cancellable>();
  /** True if no further events of the cancelled work are stored. */
  isOver = false;
  private isDone = false;
  /** True from the call of `cancel` on: the signal is aborted. */
  isAborted = false;

  /** @param clock measures the waits */
  constructor(
    /** Measures the waits. */
    readonly clock: Clock = SYSTEM_CLOCK,
  ) {}

  /** True from the call of `cancel` or `end` on. */
  get isCancelled(): boolean {
    return this.isDone;
  }

  /** Aborted by `cancel`; the same object at each access. */
  get signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new AbortController();
      if (this.isAborted) this.controller.abort();
      this.own(this.controller.signal);
    }
    return this.controller.signal;
  }

  /** Registers a signal that belongs to this invocation, such as the signal of a tool call. */
  own(signal: AbortSignal): void {
    owners.set(signal, this);
  }

  /** True for its own signal and those registered with `own`. */
  owns(signal: AbortSignal | undefined): boolean {
    return signal !== undefined && owners.get(signal) === this;
  }

  /** Aborts the signal, then notifies all watchers. A second call does nothing. */
  cancel(): void {
    if (this.isDone) return;
    this.isDone = this.isAborted = true;
    this.controller?.abort();
    for (const watcher of this.watchers) {
      this.watchers.delete(watcher);
      watcher.cancelled();
    }
  }

  /**
   * Ends the waits of an invocation that ended well. Its signal is aborted only if it left work behind: what is over need not
   * be told to stop.
   */
  end(): void {
    if (this.watchers.size > 0) this.cancel();
    else this.isDone = true;
  }

  /** Notifies the watcher once on cancellation, at once if already cancelled, unless it is removed first. */
  add(watcher: Cancellable): void {
    if (this.isDone) watcher.cancelled();
    else this.watchers.add(watcher);
  }

  /** Stops notifying the watcher. Does nothing if it was not added. */
  remove(watcher: Cancellable): void {
    this.watchers.delete(watcher);
  }

  /**
   * Waits for a promise until the cancellation or a time limit, and leaves no timer behind. The promise is abandoned then.
   *
   * ```ts
   * const listed = await cancellation.wait(toolset.list(), { limit: 30_000, late: () => new ToolsetTimeoutError(name) });
   * ```
   *
   * @throws {InvocationCancelledError} or what `cancelled` makes, on cancellation
   */
  wait<Result>(
    waiting: PromiseLike<Result>,
    { limit = Infinity, late = limitReached, grace = 0, cancelled = wasCancelled }: WaitOptions = {},
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      let stopTimer = noop;
      const end = (): void => {
        stopTimer();
        this.remove(watcher);
      };
      const fail = (error: unknown): void => {
        end();
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- anything may be thrown
        reject(error);
      };
      const failAfter = (milliseconds: number, errorOf: () => Error): void => {
        stopTimer();
        stopTimer = startTimer(this.clock, milliseconds, () => {
          fail(errorOf());
        });
      };
      const watcher: Cancellable = {
        cancelled: () => {
          if (grace === 0) fail(cancelled());
          else failAfter(grace, cancelled);
        },
      };
      if (limit !== Infinity) failAfter(limit, late);
      this.add(watcher);
      waiting.then((result) => {
        end();
        resolve(result);
      }, fail);
    });
  }

  /** Waits a number of milliseconds. False if it was cancelled meanwhile. */
  sleep(milliseconds: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (): void => {
        stopTimer();
        this.remove(watcher);
        resolve(!this.isDone);
      };
      const stopTimer = startTimer(this.clock, milliseconds, end);
      const watcher: Cancellable = { cancelled: end };
      this.add(watcher);
    });
  }
}

/** The limits of a wait, and the errors that it ends with. */
export interface WaitOptions {
  /** Milliseconds. Default: no limit. */
  readonly limit?: number;
  /** Makes the error of the time limit. */
  readonly late?: () => Error;
  /** Milliseconds that the promise still gets after a cancellation. Default: 0. */
  readonly grace?: number;
  /** Makes the error of a cancellation. Default: an `InvocationCancelledError`. */
  readonly cancelled?: () => Error;
}

/** The invocation was cancelled before an operation was complete. */
export class InvocationCancelledError extends AdornError {
  readonly code = 'CANCELLED';

  constructor(
    message = 'The invocation was cancelled before this was done.',
    /** Whether it interrupted a tool call, whose outcome is then unknown. */
    readonly isDuringCall = false,
  ) {
    super(message);
  }

  /** The store did not confirm the last writes of the run. */
  static withoutStore(): InvocationCancelledError {
    return new this(
      'The invocation was cancelled, and its store has not answered since. Its last events may not be stored: read the session when the store answers.',
    );
  }

  /** A tool was told to stop, but may still take effect. */
  static duringCall(): InvocationCancelledError {
    return new this(
      'outcome unknown: the invocation was cancelled while this call was under way. It may have taken effect.',
      true,
    );
  }
}

/** Thrown at whoever emits an event that is not taken: its reader has stopped, or it was abandoned. */
export class NotTakenError extends InvocationCancelledError {}

/** True for the closing event of a cancelled run, also after a time limit. */
export function isCancelledEnd({ errorCode }: Pick<Event, 'errorCode'>): boolean {
  return errorCode === 'CANCELLED' || errorCode === 'TIME_LIMIT';
}

/** The runs that follow a signal. */
const followers = new WeakMap<AbortSignal, SignalFollowers>();

/** Cancels a run when a signal is aborted. Returns a function that ends this. */
export function followSignal(cancellation: Cancellation, signal: AbortSignal | undefined): () => void {
  if (!signal) return noop;
  if (signal.aborted) {
    cancellation.cancel();
    return noop;
  }
  let runs = followers.get(signal);
  if (!runs) followers.set(signal, (runs = new SignalFollowers(signal)));
  return runs.add(cancellation);
}

/** One listener for all runs of a signal: Node.js warns of more than ten, and a signal of the process is shared by all. */
class SignalFollowers {
  private readonly runs = new Set<Cancellation>();

  constructor(private readonly signal: AbortSignal) {}

  add(run: Cancellation): () => void {
    if (this.runs.size === 0) this.signal.addEventListener('abort', this.cancel, { once: true });
    this.runs.add(run);
    return () => {
      this.runs.delete(run);
      if (this.runs.size === 0) this.signal.removeEventListener('abort', this.cancel);
    };
  }

  private readonly cancel = (): void => {
    for (const run of this.runs) run.cancel();
  };
}

function noop(): void {
  // There is no listener to remove, or the error is ignored.
}

/** Of a wait during a call: the tool may have taken effect. */
export const DURING_CALL: WaitOptions = Object.freeze({
  cancelled: () => InvocationCancelledError.duringCall(),
});

function wasCancelled(): Error {
  return new InvocationCancelledError();
}

function limitReached(): Error {
  return new Error('The time limit is over.');
}

/** Processes the items of a stream in order. */
export interface ItemReader<Item, Shown> {
  /** Returns the stream's value for the item; undefined to skip the item and read the next. */
  read(item: Item): Shown | undefined;
  /** Called once if the source, a read or the invocation ends the stream early. */
  failed(error: unknown): void;
}

/**
 * Shows the values of a stream one after another, until it ends or the invocation is cancelled, even if its source ignores
 * the signal. The source is asked for an item when the value before it is shown.
 *
 * @throws what `show` throws, which ends the stream
 */
export async function showEach<Item, Shown>(
  source: AsyncIterator<Item, void, undefined>,
  cancellation: Cancellation,
  reader: ItemReader<Item, Shown>,
  show: (shown: Shown) => Promise<void>,
): Promise<void> {
  const closing: Cancellable = {
    cancelled: () => {
      closeSource(source);
    },
  };
  cancellation.add(closing);
  try {
    for (;;) {
      let shown: Shown | undefined;
      try {
        if (cancellation.isCancelled) throw new InvocationCancelledError();
        const step = await cancellation.wait(source.next());
        if (step.done === true) return;
        shown = reader.read(step.value);
      } catch (error) {
        reader.failed(error);
        if (!cancellation.isCancelled) closeSource(source);
        return;
      }
      if (shown !== undefined) await show(shown);
    }
  } catch (error) {
    if (!cancellation.isCancelled) closeSource(source);
    throw error;
  } finally {
    cancellation.remove(closing);
  }
}

/** Ends a source without waiting for it, because it may hang. */
function closeSource(source: AsyncIterator<unknown, void, undefined>): void {
  try {
    source.return?.().catch(noop);
  } catch {
    // A source that cannot be closed is abandoned.
  }
}
