/** Something that has to stop when an invocation is cancelled. */
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
