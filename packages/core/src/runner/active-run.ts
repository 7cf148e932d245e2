import type { Event } from '../events/event.js';
import { type Cancellable, Cancellation, InvocationCancelledError } from '../invocation/cancellation.js';
import { type Execution, ExecutionDriver, type ExecutionListener, type Failure } from './execution-driver.js';
import type { SessionUse } from './run-queue.js';
import { outputOf, type Run, type RunResult, textOf } from './run.js';

type Step = IteratorResult<Event, void>;

/** Waits for an event, or for the end of the run. */
interface Reader {
  readonly resolve: (step: Step) => void;
  readonly reject: (error: unknown) => void;
}

/** Maximum number of unread events. A run whose reader has begun and leaves more unread is cancelled. */
const MAX_UNREAD = 1_000;

/**
 * How long the reader of a cancelled run waits, in milliseconds. Agents are abandoned earlier, so only a store can still
 * be missing.
 */
const STORE_GRACE_MS = 2_000;

/** Used in place of `queueMicrotask`, which the fake timers of a test would hold back. */
const NEXT_TICK = Promise.resolve();

const DONE: Step = Object.freeze({ done: true, value: undefined });

/** An execution with a result. */
export interface ResultExecution<Output> extends Execution {
  /** @param events those of the run, without pieces of streamed answers */
  result(events: readonly Event[]): Promise<RunResult<Output>>;
  /** Called if the run ends with an error before an event or the result was requested. */
  reportUnheard(error: unknown): void;
}

/**
 * The handle of a run. Its reader drives it: each event is made when it is requested. A run is detached if it has no
 * reader, if other runs wait for its session, or if the runner closes. It then drives itself and buffers its events until
 * they are read.
 */
export class ActiveRun<Output> implements Run<Output>, SessionUse, Cancellable, ExecutionListener {
  readonly cancellation = new Cancellation();
  private readonly execution: ResultExecution<Output>;
  private readonly driver: ExecutionDriver;
  /** All events but the pieces of streamed answers. */
  private readonly events: Event[] = [];
  private readonly unread: Event[] = [];
  private readonly readers: Reader[] = [];
  /** Those that wait for the end: readers that have stopped, and the result. */
  private readonly waiters: Reader[] = [];
  private isRead = false;
  private isDetached = false;
  private grace: NodeJS.Timeout | undefined;
  private isAbandoned = false;
  private failure: Failure | undefined;
  /** The failure, until a reader has received it. */
  private unreadFailure: Failure | undefined;
  private ending: Promise<RunResult<Output>> | undefined;

  /** @param execute creates the execution, which begins with the first `next`, or by itself */
  constructor(
    readonly invocationId: string,
    execute: (run: SessionUse) => ResultExecution<Output>,
  ) {
    this.execution = execute(this);
    this.driver = new ExecutionDriver(this.execution, this.cancellation, this);
    this.cancellation.add(this);
    void NEXT_TICK.then(this.beginUnread);
  }

  get [Symbol.toStringTag](): string {
    return 'Run';
  }

  get text(): Promise<string> {
    return this.result().then(textOf);
  }

  get output(): Promise<Output> {
    return this.result().then(outputOf);
  }

  then<Fulfilled = RunResult<Output>, Rejected = never>(
    onFulfilled?: ((result: RunResult<Output>) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((error: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.result().then(onFulfilled, onRejected);
  }

  catch<Rejected = never>(
    onRejected?: ((error: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<RunResult<Output> | Rejected> {
    return this.result().catch(onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<RunResult<Output>> {
    return this.result().finally(onFinally);
  }

  cancel(): void {
    this.cancellation.cancel();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Step> {
    const event = this.unread.shift();
    this.isRead = true;
    if (event !== undefined) return Promise.resolve({ done: false, value: event });
    return this.driver.hasEnded ? this.afterEnd() : new Promise(this.read);
  }

  /**
   * Cancels the run, because the reader stops. Resolves when the run has ended. Its closing events are stored, but not
   * read.
   */
  async return(): Promise<Step> {
    this.isRead = true;
    this.cancellation.cancel();
    try {
      if (!this.driver.hasEnded) await this.stop();
    } finally {
      this.unread.length = 0;
      this.unreadFailure = undefined;
    }
    return DONE;
  }

  async throw(error: unknown): Promise<Step> {
    await this.return();
    throw error;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  cancelled(): void {
    this.driver.cancelled();
    this.watchStore();
  }

  detach(): void {
    this.isDetached = true;
    this.advance();
  }

  onEvent(event: Event): void {
    this.endWatch();
    if (!event.partial) this.events.push(event);
    const reader = this.readers.shift();
    if (reader !== undefined) reader.resolve({ done: false, value: event });
    else this.keepUnread(event);
    this.advance();
  }

  onEnd(failure: Failure | undefined): void {
    this.endWatch();
    this.failure = this.unreadFailure = failure;
    for (const reader of this.readers.splice(0)) this.afterEnd().then(reader.resolve, reader.reject);
    for (const { resolve, reject } of this.waiters.splice(0)) {
      if (failure === undefined) resolve(DONE);
      else reject(failure.error);
    }
    if (failure !== undefined && !this.isRead && this.ending === undefined) {
      this.execution.reportUnheard(failure.error);
    }
  }

  /** One function for all events, because a stream has many. */
  private readonly read = (resolve: Reader['resolve'], reject: Reader['reject']): void => {
    this.readers.push({ resolve, reject });
    this.advance();
  };

  private stop(): Promise<Step> {
    const ended = this.untilEnd();
    if (this.driver.isBusy || this.isDetached) {
      this.detach();
    } else {
      this.isAbandoned = true;
      this.driver.stop();
    }
    this.watchStore();
    return ended;
  }

  private untilEnd(): Promise<Step> {
    return new Promise((resolve, reject) => this.waiters.push({ resolve, reject }));
  }

  /** Detaches a run that has no reader yet. */
  private readonly beginUnread = (): void => {
    if (!this.isRead) this.detach();
  };

  private keepUnread(event: Event): void {
    const isFull = this.unread.length >= MAX_UNREAD;
    if (!isFull || !event.partial) this.unread.push(event);
    if (isFull && this.isRead && this.ending === undefined) this.cancellation.cancel();
  }

  private result(): Promise<RunResult<Output>> {
    return (this.ending ??= this.end());
  }

  private async end(): Promise<RunResult<Output>> {
    if (!this.driver.hasEnded) {
      const ended = this.untilEnd();
      this.detach();
      this.watchStore();
      await ended;
    }
    if (this.failure !== undefined) throw this.failure.error;
    if (this.isAbandoned)
      throw new InvocationCancelledError('The reader of this run stopped before its end.');
    return this.execution.result(this.events);
  }

  /** Requests the next event, if a reader waits for it or the run is detached. */
  private advance(): void {
    if (this.driver.isBusy || this.driver.hasEnded) return;
    if (this.readers.length > 0 || this.isDetached) this.driver.ask();
    this.watchStore();
  }

  /**
   * If the run is cancelled and a store does not answer, releases the reader and lets the run drive itself to its end. The
   * run keeps its session until then, so that no later run meets an unfinished append.
   */
  private watchStore(): void {
    if (!this.cancellation.isCancelled || this.driver.hasEnded) return;
    if (this.readers.length > 0 || this.waiters.length > 0) {
      this.grace ??= setTimeout(() => {
        this.letGo();
      }, STORE_GRACE_MS);
    }
  }

  private letGo(): void {
    this.grace = undefined;
    for (const { reject } of [...this.readers.splice(0), ...this.waiters.splice(0)]) {
      reject(InvocationCancelledError.withoutStore());
    }
    this.detach();
  }

  private endWatch(): void {
    if (this.grace !== undefined) clearTimeout(this.grace);
    this.grace = undefined;
  }

  /** The failure is thrown once. */
  private afterEnd(): Promise<Step> {
    const failure = this.unreadFailure;
    if (failure === undefined) return Promise.resolve(DONE);
    this.unreadFailure = undefined;
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- an agent may throw anything
    return Promise.reject(failure.error);
  }
}
