import { AdornError } from '../errors/adorn.error.js';
import type { Event } from '../events/event.js';
import { type Clock, startLimit, startTimer, SYSTEM_CLOCK } from '../runtime/clock.js';
import { KEPT_SHAPES } from '../runtime/kept-shapes.js';

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
  /** The newest mostly leaves first, so a watcher is looked for from the end; the last one takes its place. */
  private readonly watchers: Cancellable[] = [];
  /** True if no further events of the cancelled work are stored. */
  isOver = false;
  private isDone = false;

  /** @param clock measures the waits */
  constructor(
    /** Measures the waits. */
    readonly clock: Clock = SYSTEM_CLOCK,
  ) {}

  /** True from the call of `cancel` on. */
  get isCancelled(): boolean {
    return this.isDone;
  }

  /** Aborted by `cancel`; the same object at each access. */
  get signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new AbortController();
      if (this.isDone) this.controller.abort();
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
    this.isDone = true;
    this.controller?.abort();
    // A watcher may remove others.
    for (let next = this.watchers.shift(); next; next = this.watchers.shift()) next.cancelled();
  }

  /** Notifies the watcher once on cancellation, at once if already cancelled, unless it is removed first. */
  add(watcher: Cancellable): void {
    if (this.isDone) watcher.cancelled();
    else this.watchers.push(watcher);
  }

  /** Stops notifying the watcher. Does nothing if it was not added. */
  remove(watcher: Cancellable): void {
    const { watchers } = this;
    const place = watchers.lastIndexOf(watcher);
    if (place === -1) return;
    const last = watchers.pop();
    if (last && last !== watcher) watchers[place] = last;
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
  wait<Result>(waiting: PromiseLike<Result>, options: WaitOptions = NO_LIMIT): Promise<Result> {
    return new Promise((resolve, reject) => {
      const wait = new Wait(this, options, reject);
      waiting.then(
        (result) => {
          wait.end();
          resolve(result);
        },
        (error: unknown) => {
          wait.end();
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- anything may be thrown
          reject(error);
        },
      );
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

class Wait implements Cancellable {
  private stopTimer: (() => void) | undefined;

  constructor(
    private readonly cancellation: Cancellation,
    private readonly options: WaitOptions,
    private readonly reject: (error: Error) => void,
  ) {
    KEPT_SHAPES.waiting = this;
    const { limit = Infinity, late = limitReached } = options;
    if (limit !== Infinity)
      this.stopTimer = startLimit(cancellation.clock, limit, () => {
        this.fail(late());
      });
    cancellation.add(this);
  }

  /** Releases its timer and the cancellation. */
  end(): void {
    this.stopTimer?.();
    this.cancellation.remove(this);
  }

  cancelled(): void {
    const { grace = 0, cancelled = wasCancelled } = this.options;
    if (grace === 0) {
      this.fail(cancelled());
      return;
    }
    this.stopTimer?.();
    this.stopTimer = startTimer(this.cancellation.clock, grace, () => {
      this.fail(cancelled());
    });
  }

  private fail(error: Error): void {
    this.end();
    this.reject(error);
  }
}

const NO_LIMIT: WaitOptions = Object.freeze({});

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
 * A stream that ends with the invocation, even if its source ignores the signal. It makes no promise for an item, because
 * streams have many.
 */
export class CancellableStream<Item, Shown> implements Cancellable {
  private show: ((shown: Shown) => Promise<void>) | undefined;
  private resolve: (() => void) | undefined;
  private reject: ((error: unknown) => void) | undefined;
  private isShowing = false;
  private hasEnded = false;

  constructor(
    private readonly source: AsyncIterator<Item, void, undefined>,
    private readonly cancellation: Cancellation,
    private readonly reader: ItemReader<Item, Shown>,
  ) {
    KEPT_SHAPES.stream = this;
    cancellation.add(this);
  }

  /**
   * Shows the reader's values one after another: the source is asked for an item when the value before it is shown.
   * Resolves at the end of the stream, for any reason. Called once.
   *
   * @throws what `show` throws, which ends the stream
   */
  each(show: (shown: Shown) => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.show = show;
      this.resolve = resolve;
      this.reject = reject;
      this.ask();
    });
  }

  cancelled(): void {
    this.fail(new InvocationCancelledError());
  }

  private readonly ask = (): void => {
    this.isShowing = false;
    if (this.cancellation.isCancelled) this.cancelled();
    if (this.hasEnded) this.resolve?.();
    else this.askSource();
  };

  private askSource(): void {
    try {
      this.source.next().then(this.take, this.fail);
    } catch (error) {
      this.fail(error);
    }
  }

  private readonly take = (step: IteratorResult<Item, void>): void => {
    if (this.hasEnded) return;
    if (step.done === true) {
      this.end();
      return;
    }
    let shown: Shown | undefined;
    try {
      shown = this.reader.read(step.value);
    } catch (error) {
      this.fail(error);
      return;
    }
    if (shown === undefined) this.askSource();
    else this.showNext(shown);
  };

  private showNext(shown: Shown): void {
    this.isShowing = true;
    try {
      this.show?.(shown).then(this.ask, this.refused);
    } catch (error) {
      this.refused(error);
    }
  }

  /** A value could not be shown. */
  private readonly refused = (error: unknown): void => {
    this.reject?.(error);
    this.close();
  };

  private readonly fail = (error: unknown): void => {
    if (this.hasEnded) return;
    this.reader.failed(error);
    this.close();
  };

  /** Ends the source without waiting for it, because it may hang. */
  private close(): void {
    if (this.hasEnded) return;
    this.end();
    try {
      this.source.return?.().catch(noop);
    } catch {
      // A source that cannot be closed is abandoned.
    }
  }

  /** Whoever waits for the end waits until the last value is shown. */
  private end(): void {
    this.hasEnded = true;
    this.cancellation.remove(this);
    if (!this.isShowing) this.resolve?.();
  }
}
