import { AdornError } from '../errors/adorn.error.js';
import type { Event } from '../events/event.js';
import { KEPT_SHAPES } from '../runtime/kept-shapes.js';

/** A listener for the cancellation of an invocation. */
export interface Cancellable {
  cancelled(): void;
}

/** The invocation of each signal that was handed out. */
const owners = new WeakMap<AbortSignal, Cancellation>();

const NOBODY: readonly Cancellable[] = [];

/** Whether an invocation was cancelled. Its signal is made when somebody first asks for it. */
export class Cancellation {
  private controller: AbortController | undefined;
  /** The first watcher; most invocations have one at a time. */
  private watcher: Cancellable | undefined;
  private others: Set<Cancellable> | undefined;
  /** Nothing of what it cancels is stored any more. */
  isOver = false;
  private isDone = false;

  get isCancelled(): boolean {
    return this.isDone;
  }

  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.isDone) this.controller.abort();
      this.own(this.controller.signal);
    }
    return this.controller.signal;
  }

  /** Records that a signal was made for this invocation, such as that of one of its tool calls. */
  own(signal: AbortSignal): void {
    owners.set(signal, this);
  }

  owns(signal: AbortSignal | undefined): boolean {
    return signal !== undefined && owners.get(signal) === this;
  }

  cancel(): void {
    if (this.isDone) return;
    this.isDone = true;
    this.controller?.abort();
    const { watcher, others } = this;
    this.watcher = undefined;
    watcher?.cancelled();
    for (const other of others ?? NOBODY) other.cancelled();
    this.others = undefined;
  }

  /** Tells it once when it is cancelled, or at once where it is, until it is removed. */
  add(watcher: Cancellable): void {
    if (this.isDone) watcher.cancelled();
    else if (this.watcher === undefined) this.watcher = watcher;
    else (this.others ??= new Set()).add(watcher);
  }

  remove(watcher: Cancellable): void {
    if (this.watcher === watcher) this.watcher = undefined;
    else this.others?.delete(watcher);
  }
}

/** The invocation was cancelled while some of its work was running. */
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
      'The invocation was cancelled, and its store has not answered since. Its last events may be stored or not: read the session when the store answers.',
    );
  }

  /** A tool was told to stop, and may not have: its effect may still come. */
  static duringCall(): InvocationCancelledError {
    return new this(
      'outcome unknown: the invocation was cancelled while this call was under way. It may have taken effect.',
      true,
    );
  }
}

/** True for the event with which a run ends that was cancelled, also because its time was over. */
export function isCancelledEnd({ errorCode }: Pick<Event, 'errorCode'>): boolean {
  return errorCode === 'CANCELLED' || errorCode === 'TIME_LIMIT';
}

/** Cancels a run when a signal says so; the function returned lets go of the signal. */
export function followSignal(cancellation: Cancellation, signal: AbortSignal | undefined): () => void {
  if (signal === undefined) return noop;
  const cancel = (): void => {
    cancellation.cancel();
  };
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  return () => {
    signal.removeEventListener('abort', cancel);
  };
}

function noop(): void {
  // There is no signal to let go of, or nobody to hear of a failure.
}

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

/** What is done with the items of a stream, in the order in which they come. */
export interface ItemReader<Item, Shown> {
  /** Returns what the stream gives for the item; undefined if it gives nothing and asks for the next. */
  read(item: Item): Shown | undefined;
  /** Called once if the source, a read or the invocation ends the stream early. */
  failed(error: unknown): void;
}

/**
 * A stream that ends when the invocation does, even where who feeds it does not listen to its signal. Pieces are many:
 * each costs one promise.
 */
export class CancellableStream<Item, Shown> implements Cancellable {
  private resolve: ((shown: Shown | undefined) => void) | undefined;
  private hasEnded = false;

  constructor(
    private readonly source: AsyncIterator<Item, void, undefined>,
    private readonly cancellation: Cancellation,
    private readonly reader: ItemReader<Item, Shown>,
  ) {
    KEPT_SHAPES.stream = this;
    cancellation.add(this);
  }

  /** What the reader gives next; undefined at the end, whatever ended the stream. Never rejects. */
  next(): Promise<Shown | undefined> {
    return new Promise(this.ask);
  }

  /** Nobody reads on. The source is told to end, and not waited for: it may be the one that hangs. */
  close(): void {
    if (this.hasEnded) return;
    this.end();
    try {
      this.source.return?.().catch(noop);
    } catch {
      // A source that cannot be closed is left behind.
    }
  }

  cancelled(): void {
    this.fail(new InvocationCancelledError());
  }

  private readonly ask = (resolve: (shown: Shown | undefined) => void): void => {
    this.resolve = resolve;
    if (this.cancellation.isCancelled) this.cancelled();
    if (this.hasEnded) resolve(undefined);
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
    else this.resolve?.(shown);
  };

  private readonly fail = (error: unknown): void => {
    if (this.hasEnded) return;
    this.reader.failed(error);
    this.close();
  };

  private end(): void {
    this.hasEnded = true;
    this.cancellation.remove(this);
    this.resolve?.(undefined);
  }
}
