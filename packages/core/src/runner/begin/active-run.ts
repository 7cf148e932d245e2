import type { Event } from '../../events/event.js';
import {
  type Cancellable,
  Cancellation,
  InvocationCancelledError,
  NotTakenError,
} from '../../run/cancellation.js';
import type { InvocationServices } from '../../run/invocation-services.js';
import { startTimer } from '../../runtime/clock.js';
import { Channel } from '../../runtime/channel.js';
import type { SessionUse } from './run-queue.js';
import { outputOf, resultOf, type Run, type RunOutcome, type RunResult, textOf } from '../run.js';

type Step = IteratorResult<Event, void>;

/**
 * Maximum number of unread events; further pieces of streamed answers are dropped. A run whose reader has begun and leaves
 * more whole events unread is cancelled.
 */
const MAX_UNREAD = 1_000;

/** Maximum number of dropped pieces. An agent that makes more, and whose reader has begun, is taken for one that never ends. */
const MAX_DROPPED = 100_000;

/**
 * How long the reader of a cancelled run waits, in milliseconds. Agents are abandoned earlier, so only a store can still
 * be missing.
 */
const STORE_GRACE_MS = 2_000;

/** Used in place of `queueMicrotask`, which the fake timers of a test would hold back. */
const NEXT_TICK = Promise.resolve();

/** The run as seen by the function that executes it: it emits events here, and is cancelled from outside. */
export interface RunHandle extends SessionUse, Cancellable {
  /** True if the reader has stopped between two events: no more events are stored. */
  readonly hasStopped: boolean;
  /**
   * Waits until an event is requested, stores it, shows it, and waits for the next request. Rejects if the reader stops.
   *
   * @param store returns the event to show
   */
  emit(event: Event, store: (event: Event) => Promise<Event>): Promise<void>;
  /** Throws an error at those who wait in `emit`. */
  interrupt(error: unknown): void;
}

/** Executes a run from its session to its closing events. */
export type Execute = (run: RunHandle) => Promise<RunOutcome>;

/** The handle of a run, which executes itself and waits for its reader with each event. */
export class ActiveRun<Output> implements Run<Output>, RunHandle, Cancellable {
  readonly cancellation: Cancellation;
  hasStopped = false;
  private readonly channel = new Channel<Event>();
  /** All events but the pieces of streamed answers. */
  private readonly events: Event[] = [];
  private isRead = false;
  private dropped = 0;
  private ended: Ended | undefined;
  /** Those that wait for the end: readers that have stopped, and the result. */
  private readonly waiters: [resolve: () => void, reject: (error: unknown) => void][] = [];
  private endGrace: (() => void) | undefined;
  private whenDone: Promise<RunResult<Output>> | undefined;

  constructor(
    readonly invocationId: string,
    private readonly execute: Execute,
    private readonly services: Pick<InvocationServices, 'clock' | 'logger'>,
  ) {
    this.cancellation = new Cancellation(services.clock);
    this.cancellation.add(this);
    void this.begin();
    void NEXT_TICK.then(this.detachUnread);
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
    this.isRead = true;
    const step = this.channel.next();
    this.watchStore();
    return step;
  }

  /**
   * Cancels the run, because the reader stops. Resolves when the run has ended. Its closing events are stored, but not
   * read.
   */
  async return(): Promise<Step> {
    this.isRead = true;
    const isIdle = this.channel.isIdle && this.ended === undefined;
    if (isIdle) this.hasStopped = true;
    this.cancellation.cancel();
    try {
      if (isIdle) this.channel.interrupt(READER_STOPPED);
      else this.detach();
      await this.untilEnd();
    } finally {
      this.channel.drop();
      this.channel.end();
    }
    return { done: true, value: undefined };
  }

  async throw(error: unknown): Promise<Step> {
    await this.return();
    throw error;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  cancelled(): void {
    this.watchStore();
  }

  detach(): void {
    this.channel.unbind();
  }

  async emit(event: Event, store: (event: Event) => Promise<Event>): Promise<void> {
    if (this.hasStopped) throw READER_STOPPED;
    await this.channel.turn();
    await this.show(await store(event));
  }

  interrupt(error: unknown): void {
    this.channel.interrupt(error);
  }

  private show(event: Event): Promise<void> {
    this.endWatch();
    if (!event.partial) this.events.push(event);
    const isFull = this.channel.size >= MAX_UNREAD;
    if (isFull && event.partial) this.dropped++;
    else this.channel.push(event);
    if (isFull && this.isLeftUnread(event)) this.cancellation.cancel();
    this.watchStore();
    return this.channel.requested();
  }

  /** True if the reader has begun, and too much waits for it behind this event. */
  private isLeftUnread(event: Event): boolean {
    if (!this.isRead || this.whenDone) return false;
    return event.partial ? this.dropped >= MAX_DROPPED : this.channel.count(isWhole) > MAX_UNREAD;
  }

  /** Without a reader, nothing waits for one. */
  private readonly detachUnread = (): void => {
    if (!this.isRead) this.detach();
  };

  /** Executes the run, in the async context in which it was created. */
  private async begin(): Promise<void> {
    let ended: Ended;
    try {
      ended = { kind: 'done', outcome: await this.execute(this) };
    } catch (error) {
      ended = error === READER_STOPPED ? { kind: 'stopped' } : { kind: 'failed', error };
      // Whoever created the run can request an event or the result first.
      await NEXT_TICK.then(noop);
    }
    this.end(ended);
  }

  private end(ended: Ended): void {
    this.ended = ended;
    this.endWatch();
    if (ended.kind === 'done') void this.reportUnread(ended.outcome);
    if (ended.kind !== 'failed') {
      this.channel.end();
      for (const [resolve] of this.waiters.splice(0)) resolve();
      return;
    }
    const { error } = ended;
    if (!this.isRead && !this.whenDone)
      this.services.logger.error('a run without a reader failed', { invocationId: this.invocationId, error });
    for (const [, reject] of this.waiters.splice(0)) reject(error);
    // The failure is thrown once.
    this.channel.end(() => {
      this.channel.end();
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- an agent may throw anything
      return Promise.reject(error);
    });
  }

  /** Logs the failure of a run whose result nobody has asked for: it is in no other place that a person sees. */
  private async reportUnread(outcome: RunOutcome): Promise<void> {
    if (this.isRead || this.whenDone || this.cancellation.isCancelled) return;
    const { error } = await resultOf(this.events, outcome);
    if (error)
      this.services.logger.warn('a run without a reader failed', { invocationId: this.invocationId, error });
  }

  private async untilEnd(): Promise<void> {
    if (this.ended) return;
    const end = new Promise<void>((...settle) => this.waiters.push(settle));
    this.watchStore();
    await end;
  }

  private result(): Promise<RunResult<Output>> {
    return (this.whenDone ??= this.awaited());
  }

  private async awaited(): Promise<RunResult<Output>> {
    this.detach();
    await this.untilEnd();
    const { ended } = this;
    if (ended?.kind === 'failed') throw ended.error;
    if (ended?.kind !== 'done')
      throw new InvocationCancelledError('The reader of this run stopped before its end.');
    return resultOf(this.events, ended.outcome);
  }

  /**
   * If the run is cancelled and a store does not answer, releases the reader and lets the run continue to its end. The
   * run keeps its session until then, so that no later run meets an unfinished append.
   */
  private watchStore(): void {
    if (!this.cancellation.isCancelled || this.ended) return;
    if (this.channel.hasReader || this.waiters.length > 0) {
      this.endGrace ??= startTimer(this.services.clock, STORE_GRACE_MS, () => {
        this.rejectReaders();
      });
    }
  }

  private rejectReaders(): void {
    this.endGrace = undefined;
    const error = InvocationCancelledError.withoutStore();
    this.channel.refuse(error);
    for (const [, reject] of this.waiters.splice(0)) reject(error);
    this.detach();
  }

  private endWatch(): void {
    this.endGrace?.();
    this.endGrace = undefined;
  }
}

type Ended =
  | { readonly kind: 'done'; readonly outcome: RunOutcome }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The reader has stopped between two events. */
  | { readonly kind: 'stopped' };

/** Thrown at those who emit when the reader stops between two events. */
export const READER_STOPPED = new NotTakenError('The reader of this run stopped.');

function noop(): void {
  // One more tick.
}

function isWhole({ partial }: Event): boolean {
  return !partial;
}
