import type { Event } from '../events/event.js';
import type { Cancellation } from '../invocation/cancellation.js';

/** What a run does, part after part. */
export interface Execution {
  /** Opens the session, takes the message, and yields the events of the agents, each once it is stored. */
  perform(): AsyncGenerator<Event, void, undefined>;
  /** Whether `perform` waits for an agent, which may be left behind. Otherwise it waits for a store. */
  readonly waitsForAgent: boolean;
  /** Ends the agents' part. Returns the closing events; undefined if there are none. */
  close(): AsyncGenerator<Event, void, undefined> | undefined;
  /** Called once, after the last event. The end waits for it; undefined if there is nothing to wait for. */
  settle?(failure: Failure | undefined): Promise<void> | undefined;
  /** Called once, at the end. Nothing of the run is stored from then on. */
  finish(): void;
}

export interface Failure {
  readonly error: unknown;
}

/** Receives the events of an execution, one for each that was asked for, and its end. */
export interface ExecutionListener {
  onEvent(event: Event): void;
  onEnd(failure: Failure | undefined): void;
}

/** How long a cancelled agent may take to end: to answer the calls that it made, and to run its `finally` blocks. */
const GRACE_MS = 500;

/** How many events it may yield in that time. An agent that does not stop may also keep timers from firing. */
const GRACE_EVENTS = 100;

/**
 * Takes an execution through its parts, one event at a time. An agent that waits for something that never comes, or
 * that does not stop, is left behind a moment after the run was cancelled; the closing events follow.
 */
export class ExecutionDriver {
  /** Whether an event was asked for and has not come. */
  isBusy = false;
  private phase: 'performing' | 'closing' | 'returning' | 'settling' | 'ended' = 'performing';
  private source: AsyncGenerator<Event, void, undefined>;
  private grace: NodeJS.Timeout | undefined;
  private isGraceOver = false;
  private eventsLeft = GRACE_EVENTS;

  constructor(
    private readonly execution: Execution,
    private readonly cancellation: Cancellation,
    private readonly listener: ExecutionListener,
  ) {
    this.source = execution.perform();
  }

  get hasEnded(): boolean {
    return this.phase === 'ended';
  }

  /** Asks for the next event. Not while it is busy, nor after the end. */
  ask(): void {
    if (this.phase === 'closing') {
      this.isBusy = true;
      this.source.next().then(
        (step) => {
          this.closed(step);
        },
        (error: unknown) => {
          this.end({ error });
        },
      );
    } else if (this.cancellation.isCancelled && (this.isGraceOver || --this.eventsLeft < 0)) {
      this.leaveBehind();
    } else {
      this.isBusy = true;
      this.source.next().then(this.performed, this.failedPerforming);
    }
  }

  /** Ends the execution between two events: the agents' `finally` blocks run, and nothing is closed. */
  stop(): void {
    this.isBusy = true;
    this.phase = 'returning';
    this.source.return().then(
      () => {
        this.end();
      },
      (error: unknown) => {
        this.end({ error });
      },
    );
  }

  cancelled(): void {
    if (this.phase !== 'ended' && this.grace === undefined) this.startGrace();
  }

  /** Made once for all events: those of a stream are many. */
  private readonly performed = (step: IteratorResult<Event, void>): void => {
    if (this.phase !== 'performing') return;
    if (step.done === true) {
      this.close();
    } else {
      this.isBusy = false;
      this.listener.onEvent(step.value);
    }
  };

  private readonly failedPerforming = (error: unknown): void => {
    if (this.phase === 'performing') this.end({ error });
  };

  private closed(step: IteratorResult<Event, void>): void {
    this.isBusy = false;
    if (step.done === true) this.end();
    else this.listener.onEvent(step.value);
  }

  private startGrace(): void {
    this.grace = setTimeout(() => {
      this.isGraceOver = true;
      if (this.phase === 'returning') this.end();
      if (this.phase !== 'performing' || !this.isBusy) return;
      if (this.execution.waitsForAgent) this.leaveBehind();
      else this.startGrace();
    }, GRACE_MS);
  }

  /** Should the agent wake up later, it goes no further than its `finally` blocks. */
  private leaveBehind(): void {
    this.source.return().catch(noop);
    this.close();
  }

  private close(): void {
    const closing = this.execution.close();
    if (closing === undefined) {
      this.end();
    } else {
      this.phase = 'closing';
      this.source = closing;
      this.ask();
    }
  }

  private end(failure?: Failure): void {
    if (this.phase === 'ended' || this.phase === 'settling') return;
    const settled = this.execution.settle?.(failure);
    if (settled === undefined) {
      this.finish(failure);
      return;
    }
    this.phase = 'settling';
    this.isBusy = true;
    settled.then(
      () => {
        this.finish(failure);
      },
      (error: unknown) => {
        this.finish(failure ?? { error });
      },
    );
  }

  private finish(failure: Failure | undefined): void {
    this.phase = 'ended';
    this.isBusy = false;
    if (this.grace !== undefined) clearTimeout(this.grace);
    this.execution.finish();
    this.listener.onEnd(failure);
  }
}

function noop(): void {
  // Nobody waits for what was left behind, nor for what it throws.
}
