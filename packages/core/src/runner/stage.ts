import type { EventSink } from '../events/event-sink.js';
import type { Event } from '../events/event.js';
import { type Cancellable, NotTakenError } from '../invocation/cancellation.js';
import { startTimer } from '../runtime/clock.js';
import { type Awaitable, isPromiseLike } from '../runtime/awaitable.js';
import { KEPT_SHAPES } from '../runtime/kept-shapes.js';
import type { ExecutingRun } from './active-run.js';

/** How long a cancelled agent may take to answer its calls and run its `finally` blocks, in milliseconds. */
const GRACE_MS = 500;

/** Maximum number of events that it may emit in that time. An agent that does not stop may block timers. */
const GRACE_EVENTS = 100;

/** Where the agents of a run emit. Agents that hang or do not stop are abandoned shortly after the run was cancelled. */
export class Stage implements EventSink, Cancellable {
  private isOver = false;
  private isGraceOver = false;
  private storing = 0;
  private eventsLeft = GRACE_EVENTS;
  private failure: { readonly error: unknown } | undefined;
  private stopTimer: (() => void) | undefined;
  private abandon: () => void = noop;

  /** @param accept stores an event, and returns the event to show */
  constructor(
    private readonly run: ExecutingRun,
    private readonly accept: (event: Event) => Awaitable<Event>,
  ) {}

  /**
   * Waits for the agents, at most until they are abandoned. If one wakes up later, only its `finally` blocks run.
   *
   * @throws the error of a store, whatever the agents made of it
   */
  until(perform: () => Promise<unknown>): Promise<void> {
    KEPT_SHAPES.stage = this;
    const { cancellation } = this.run;
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.isOver = true;
        this.stopTimer?.();
        cancellation.remove(this);
        if (!this.failure) resolve();
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a store may throw anything
        else reject(this.failure.error);
      };
      this.abandon = end;
      cancellation.add(this);
      perform().then(end, (error: unknown) => {
        if (!this.isOver) this.failure ??= { error };
        end();
      });
    });
  }

  emit(event: Event): Promise<void> {
    const isCancelled = this.run.cancellation.isCancelled && !this.isOver;
    if (isCancelled && (this.isGraceOver || --this.eventsLeft < 0)) this.leaveBehind();
    if (this.isOver) return Promise.reject(LEFT_BEHIND);
    return this.run.emit(event, this.store);
  }

  cancelled(): void {
    this.stopTimer = startTimer(this.run.cancellation.clock, GRACE_MS, () => {
      this.isGraceOver = true;
      if (this.storing > 0) this.cancelled();
      else this.leaveBehind();
    });
  }

  private readonly store = (event: Event): Awaitable<Event> => {
    if (this.isOver) throw LEFT_BEHIND;
    try {
      const stored = this.accept(event);
      return isPromiseLike(stored) ? this.stored(stored) : stored;
    } catch (error) {
      throw this.refused(error);
    }
  };

  private async stored(storing: PromiseLike<Event>): Promise<Event> {
    this.storing++;
    try {
      return await storing;
    } catch (error) {
      throw this.refused(error);
    } finally {
      this.storing--;
    }
  }

  /** Gives the agents the grace to run their `finally` blocks. */
  private refused(error: unknown): unknown {
    this.failure ??= { error };
    this.isOver = true;
    this.stopTimer?.();
    this.stopTimer = startTimer(this.run.cancellation.clock, GRACE_MS, this.abandon);
    return error;
  }

  private leaveBehind(): void {
    this.abandon();
    this.run.interrupt(LEFT_BEHIND);
  }
}

const LEFT_BEHIND = new NotTakenError();

function noop(): void {
  // The agents have not begun.
}
