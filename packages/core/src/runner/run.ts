import type { Event } from '../events/event.js';
import { type Cancellable, Cancellation, InvocationCancelledError } from '../invocation/cancellation.js';
import type { SessionUse } from './run-queue.js';

type Step = IteratorResult<Event, void>;

/** A reader that asked for an event before there was one. */
interface Reader {
  readonly resolve: (step: Step) => void;
  readonly reject: (error: unknown) => void;
}

/** How many unread events a detached run may gather before it is cancelled: its reader is gone. */
const MAX_UNREAD = 1_000;

/**
 * How long the reader of a cancelled run waits for its next event. Agents are left behind earlier, so what is missing
 * is the answer of a store.
 */
const STORE_GRACE_MS = 2_000;

const DONE: Step = Object.freeze({ done: true, value: undefined });

/**
 * A run as its reader holds it. The reader drives it: each event is made when it is asked for. Once detached, because
 * other runs wait for its session or the runner closes, the run drives itself and keeps its events until they are read.
 */
export class Run implements AsyncGenerator<Event, void, undefined>, SessionUse, Cancellable {
  readonly cancellation = new Cancellation();
  private readonly source: AsyncGenerator<Event, void, undefined>;
  private readonly unread: Step[] = [];
  private readonly readers: Reader[] = [];
  /** While the run drives itself. */
  private driving: Promise<void> | undefined;
  /** The step that the reader of a run that it drives waits for. */
  private awaited: Reader | undefined;
  private grace: NodeJS.Timeout | undefined;
  private isOver = false;
  private failure: { readonly error: unknown } | undefined;

  /** @param perform the run itself, begun by the first `next` */
  constructor(
    readonly invocationId: string,
    perform: (run: Run) => AsyncGenerator<Event, void, undefined>,
  ) {
    this.source = perform(this);
    this.cancellation.add(this);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Step> {
    return this.driving === undefined ? this.inGrace(this.source.next()) : this.nextUnread();
  }

  /** The reader stops: the run is cancelled, and ends before this resolves. */
  async return(): Promise<Step> {
    await this.stop();
    return this.inGrace(this.source.return());
  }

  async throw(error: unknown): Promise<Step> {
    await this.stop();
    return this.inGrace(this.source.throw(error));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  cancelled(): void {
    if (this.awaited !== undefined) this.startGrace();
  }

  detach(): void {
    this.driving ??= this.drive();
  }

  /**
   * The reader's step. If the run is cancelled and a store does not answer, the reader is let go and the run drives
   * itself to its end. It holds its session so long: no later run meets an append that is still under way.
   */
  private inGrace(step: Promise<Step>): Promise<Step> {
    return new Promise((resolve, reject) => {
      const reader = (this.awaited = { resolve, reject });
      if (this.cancellation.isCancelled) this.startGrace();
      step.then(
        (result) => {
          this.endGrace(reader);
          resolve(result);
        },
        (error: unknown) => {
          this.endGrace(reader);
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- an agent may throw anything
          reject(error);
        },
      );
    });
  }

  private startGrace(): void {
    this.grace ??= setTimeout(() => {
      this.awaited?.reject(InvocationCancelledError.withoutStore());
      this.detach();
    }, STORE_GRACE_MS);
  }

  private endGrace(reader: Reader): void {
    if (this.awaited !== reader) return;
    this.awaited = undefined;
    if (this.grace !== undefined) clearTimeout(this.grace);
    this.grace = undefined;
  }

  /** What a detached run still has to say is stored, and read by nobody. */
  private async stop(): Promise<void> {
    this.cancellation.cancel();
    if (this.driving === undefined) return;
    await this.driving;
    this.unread.length = 0;
    this.failure = undefined;
  }

  private async drive(): Promise<void> {
    try {
      for (let step = await this.source.next(); step.done !== true; step = await this.source.next()) {
        this.offer(step);
      }
    } catch (error) {
      this.fail(error);
    }
    this.isOver = true;
    for (const reader of this.readers.splice(0)) reader.resolve(DONE);
  }

  private offer(step: Step): void {
    const reader = this.readers.shift();
    if (reader !== undefined) reader.resolve(step);
    else if (this.unread.push(step) >= MAX_UNREAD) this.cancellation.cancel();
  }

  private fail(error: unknown): void {
    const reader = this.readers.shift();
    if (reader === undefined) this.failure = { error };
    else reader.reject(error);
  }

  private nextUnread(): Promise<Step> {
    const step = this.unread.shift();
    if (step !== undefined) return Promise.resolve(step);
    const { failure } = this;
    if (failure === undefined && !this.isOver) {
      return new Promise((resolve, reject) => this.readers.push({ resolve, reject }));
    }
    this.failure = undefined;
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- an agent may throw anything
    return failure === undefined ? Promise.resolve(DONE) : Promise.reject(failure.error);
  }
}
