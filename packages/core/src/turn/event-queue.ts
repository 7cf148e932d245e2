import type { EventSink } from '../dispatch/tool-call.js';
import type { Event } from '../events/event.js';
import { KEPT_SHAPES } from '../runtime/kept-shapes.js';

/** An event that waits to be read, and whom to tell when it was. */
interface Waiting {
  readonly event: Event;
  readonly taken: () => void;
}

type Ending<Result> =
  { readonly kind: 'result'; readonly result: Result } | { readonly kind: 'error'; readonly error: unknown };

/**
 * What happens while a job runs, between its beginning and its end. Who emits waits until the event was taken, so
 * a tool is never further ahead than its reader.
 */
export class EventQueue<Result> implements EventSink {
  private readonly waiting: Waiting[] = [];
  private wake: (() => void) | undefined;
  private isClosed = false;
  private ending: Ending<Result> | undefined;

  /** Runs the job, which may emit into this queue from the start. */
  run(job: (sink: EventSink) => Promise<Result>): void {
    KEPT_SHAPES.queue = this;
    job(this).then(
      (result) => {
        this.end({ kind: 'result', result });
      },
      (error: unknown) => {
        this.end({ kind: 'error', error });
      },
    );
  }

  emit(event: Event): Promise<void> {
    if (this.isClosed) return Promise.resolve();
    return new Promise((taken) => {
      this.waiting.push({ event, taken });
      this.wake?.();
    });
  }

  /** The next event, or undefined when the job has ended and nothing is left. */
  next(): Promise<Event | undefined> {
    return new Promise((resolve) => {
      this.wake = () => {
        this.wake = undefined;
        resolve(this.take());
      };
      if (this.waiting.length > 0 || this.ending !== undefined) this.wake();
    });
  }

  /** What the job gave; throws what it threw. Only after `next` gave undefined. */
  get result(): Result {
    if (this.ending?.kind === 'result') return this.ending.result;
    throw this.ending?.error;
  }

  private take(): Event | undefined {
    const first = this.waiting.shift();
    first?.taken();
    return first?.event;
  }

  /** Lets everybody go who waits to be heard: nobody listens any more. */
  close(): void {
    this.isClosed = true;
    for (const { taken } of this.waiting.splice(0)) taken();
  }

  private end(ending: Ending<Result>): void {
    this.ending = ending;
    this.wake?.();
  }
}
