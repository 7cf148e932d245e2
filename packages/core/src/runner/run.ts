import type { Event } from '../events/event.js';
import { type Cancellable, Cancellation, InvocationCancelledError } from '../invocation/cancellation.js';
import { type Execution, ExecutionDriver, type ExecutionListener, type Failure } from './execution-driver.js';
import type { SessionUse } from './run-queue.js';

type Step = IteratorResult<Event, void>;

/** Waits for an event, or for the end of the run. */
interface Reader {
  readonly resolve: (step: Step) => void;
  readonly reject: (error: unknown) => void;
}

/** How many unread events a detached run may gather before it is cancelled: its reader is gone. */
const MAX_UNREAD = 1_000;

/**
 * How long the reader of a cancelled run waits. Agents are left behind earlier, so what is missing is the answer of a
 * store.
 */
const STORE_GRACE_MS = 2_000;

const DONE: Step = Object.freeze({ done: true, value: undefined });

/**
 * A run as its reader holds it. The reader drives it: each event is made when it is asked for. Once detached, because
 * other runs wait for its session or the runner closes, the run drives itself and keeps its events until they are read.
 */
export class Run
  implements AsyncGenerator<Event, void, undefined>, SessionUse, Cancellable, ExecutionListener
{
  readonly cancellation = new Cancellation();
  private readonly driver: ExecutionDriver;
  private readonly unread: Event[] = [];
  private readonly readers: Reader[] = [];
  /** Those who have stopped reading, and wait for the end. */
  private readonly leavers: Reader[] = [];
  private isDetached = false;
  private grace: NodeJS.Timeout | undefined;
  private failure: Failure | undefined;

  /** @param execute makes the execution, which begins with the first `next` */
  constructor(
    readonly invocationId: string,
    execute: (run: Run) => Execution,
  ) {
    this.driver = new ExecutionDriver(execute(this), this.cancellation, this);
    this.cancellation.add(this);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Step> {
    const event = this.unread.shift();
    if (event !== undefined) return Promise.resolve({ done: false, value: event });
    return this.driver.hasEnded ? this.afterEnd() : new Promise(this.read);
  }

  /**
   * The reader stops: the run is cancelled, and ends before this resolves. What it still has to say is stored, and read
   * by nobody.
   */
  async return(): Promise<Step> {
    this.cancellation.cancel();
    if (!this.driver.hasEnded) await this.leave();
    this.unread.length = 0;
    this.failure = undefined;
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
    const reader = this.readers.shift();
    if (reader !== undefined) reader.resolve({ done: false, value: event });
    else if (this.unread.push(event) >= MAX_UNREAD) this.cancellation.cancel();
    this.advance();
  }

  onEnd(failure: Failure | undefined): void {
    this.endWatch();
    this.cancellation.remove(this);
    this.failure = failure;
    for (const reader of this.readers.splice(0)) this.afterEnd().then(reader.resolve, reader.reject);
    for (const leaver of this.leavers.splice(0)) this.afterEnd().then(leaver.resolve, leaver.reject);
  }

  /** Made once for all events: those of a stream are many. */
  private readonly read = (resolve: Reader['resolve'], reject: Reader['reject']): void => {
    this.readers.push({ resolve, reject });
    this.advance();
  };

  private leave(): Promise<Step> {
    const left = new Promise<Step>((resolve, reject) => this.leavers.push({ resolve, reject }));
    if (this.driver.isBusy || this.isDetached) this.detach();
    else this.driver.stop();
    this.watchStore();
    return left;
  }

  /** Asks for the next event, if somebody waits for one or nobody has to. */
  private advance(): void {
    if (this.driver.isBusy || this.driver.hasEnded) return;
    if (this.readers.length > 0 || this.isDetached) this.driver.ask();
    this.watchStore();
  }

  /**
   * If the run is cancelled and a store does not answer, its reader is let go and the run drives itself to its end. It
   * holds its session so long: no later run meets an append that is still under way.
   */
  private watchStore(): void {
    if (!this.cancellation.isCancelled || this.driver.hasEnded) return;
    if (this.readers.length > 0 || this.leavers.length > 0) {
      this.grace ??= setTimeout(() => {
        this.letGo();
      }, STORE_GRACE_MS);
    }
  }

  private letGo(): void {
    this.grace = undefined;
    for (const { reject } of [...this.readers.splice(0), ...this.leavers.splice(0)]) {
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
    const { failure } = this;
    if (failure === undefined) return Promise.resolve(DONE);
    this.failure = undefined;
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- an agent may throw anything
    return Promise.reject(failure.error);
  }
}
