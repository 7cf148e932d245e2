import type { EventSink } from '../events/event-sink.js';
import type { Event } from '../events/event.js';
import { type Cancellable, NotTakenError } from '../run/cancellation.js';
import { startTimer } from '../runtime/clock.js';
import type { RunHandle } from './begin/active-run.js';

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
    private readonly run: RunHandle,
    private readonly accept: (event: Event) => Promise<Event>,
  ) {}

  /**
   * Waits for the agents, at most until they are abandoned. If one wakes up later, only its `finally` blocks run.
   *
   * @throws the error of a store, whatever the agents made of it
   */
  async until(perform: () => Promise<unknown>): Promise<void> {
    const { cancellation } = this.run;
    const abandoned = new Promise<void>((resolve) => (this.abandon = resolve));
    cancellation.add(this);
    try {
      await Promise.race([perform(), abandoned]);
    } catch (error) {
      this.failure ??= { error };
    }
    this.isOver = true;
    this.stopTimer?.();
    cancellation.remove(this);
    if (this.failure) throw this.failure.error;
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

  private readonly store = async (event: Event): Promise<Event> => {
    if (this.isOver) throw LEFT_BEHIND;
    this.storing++;
    try {
      return await this.accept(event);
    } catch (error) {
      this.refused(error);
      throw error;
    } finally {
      this.storing--;
    }
  };

  /** Gives the agents the grace to run their `finally` blocks. */
  private refused(error: unknown): void {
    this.failure ??= { error };
    this.isOver = true;
    this.stopTimer?.();
    this.stopTimer = startTimer(this.run.cancellation.clock, GRACE_MS, this.abandon);
  }

  private leaveBehind(): void {
    this.isOver = true;
    this.abandon();
    this.run.interrupt(LEFT_BEHIND);
  }
}

const LEFT_BEHIND = new NotTakenError();

function noop(): void {
  // The agents have not begun.
}
