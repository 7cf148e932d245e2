import type { Event } from '../events/event.js';
import type { Cancellation } from '../invocation/cancellation.js';
import { type Awaitable, isPromiseLike } from '../runtime/awaitable.js';

/** The parts of a run, in order. */
export interface Execution {
  /** Opens the session and stores the message. Yields the events that come before the agents run. */
  begin(): AsyncGenerator<Event, void, undefined>;
  /** Begins the next agent; undefined if none is left. Called after `begin` and after each agent. */
  nextAgent(): AsyncGenerator<Event, void, undefined> | undefined;
  /** Stores an event of an agent. Returns the event to yield; undefined if the agent stops. */
  accept(event: Event): Awaitable<Event | undefined>;
  /** Ends the agents' part. Returns the closing events; undefined if there are none. */
  close(): AsyncGenerator<Event, void, undefined> | undefined;
  /** Called once, after the last event. The end waits for it; undefined if there is nothing to wait for. */
  settle?(failure: Failure | undefined): Promise<void> | undefined;
  /** Called once, at the end. No event of the run is stored afterwards. */
  finish(): void;
}

export interface Failure {
  readonly error: unknown;
}

/** Receives the events of an execution, one for each `ask`, and its end. */
export interface ExecutionListener {
  onEvent(event: Event): void;
  onEnd(failure: Failure | undefined): void;
}

/** How long a cancelled agent may take to answer its calls and run its `finally` blocks, in milliseconds. */
const GRACE_MS = 500;

/** Maximum number of events that it may yield in that time. An agent that does not stop may block timers. */
const GRACE_EVENTS = 100;

/**
 * Runs an execution part by part, one event at a time. An agent that hangs or does not stop is abandoned shortly after the
 * run was cancelled; the closing events follow.
 */
export class ExecutionDriver {
  /** True if an event was requested and has not arrived. */
  isBusy = false;
  private phase: 'beginning' | 'running' | 'closing' | 'returning' | 'settling' | 'ended' = 'beginning';
  /** True while it waits for a store; false while it waits for an agent, which may be abandoned. */
  private isStoring = true;
  private source: AsyncGenerator<Event, void, undefined>;
  private grace: NodeJS.Timeout | undefined;
  private isGraceOver = false;
  private eventsLeft = GRACE_EVENTS;

  constructor(
    private readonly execution: Execution,
    private readonly cancellation: Cancellation,
    private readonly listener: ExecutionListener,
  ) {
    this.source = execution.begin();
  }

  get hasEnded(): boolean {
    return this.phase === 'ended';
  }

  /** Requests the next event. Must not be called while it is busy, or after the end. */
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
      this.source.next().then(this.stepped, this.failed);
    }
  }

  /** Ends the execution between two events: the agents' `finally` blocks run, and there are no closing events. */
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

  /** One function for all events, because a stream has many. */
  private readonly stepped = (step: IteratorResult<Event, void>): void => {
    if (this.phase === 'running') {
      if (step.done === true) this.beginAgent();
      else this.accept(step.value);
    } else if (this.phase === 'beginning') {
      if (step.done === true) this.beginAgent();
      else this.show(step.value);
    }
  };

  private readonly failed = (error: unknown): void => {
    if (this.isPerforming) this.end({ error });
  };

  private get isPerforming(): boolean {
    return this.phase === 'beginning' || this.phase === 'running';
  }

  private beginAgent(): void {
    let agent: AsyncGenerator<Event, void, undefined> | undefined;
    try {
      agent = this.execution.nextAgent();
    } catch (error) {
      this.end({ error });
      return;
    }
    if (agent === undefined) {
      this.close();
      return;
    }
    this.phase = 'running';
    this.isStoring = false;
    this.source = agent;
    agent.next().then(this.stepped, this.failed);
  }

  private accept(event: Event): void {
    this.isStoring = true;
    let accepted: Awaitable<Event | undefined>;
    try {
      accepted = this.execution.accept(event);
    } catch (error) {
      this.refused(error);
      return;
    }
    if (isPromiseLike(accepted)) accepted.then(this.accepted, this.refused);
    else this.accepted(accepted);
  }

  private readonly accepted = (event: Event | undefined): void => {
    this.isStoring = false;
    if (event !== undefined) {
      this.show(event);
      return;
    }
    this.source.return().then(() => {
      if (this.phase === 'running') this.beginAgent();
    }, this.failed);
  };

  /** Keeps the original error if the agent's `finally` blocks throw, and also if they hang. */
  private readonly refused = (error: unknown): void => {
    const end = (): void => {
      clearTimeout(abandon);
      this.end({ error });
    };
    const abandon = setTimeout(end, GRACE_MS);
    this.source.return().then(end, end);
  };

  private show(event: Event): void {
    this.isBusy = false;
    this.listener.onEvent(event);
  }

  private closed(step: IteratorResult<Event, void>): void {
    this.isBusy = false;
    if (step.done === true) this.end();
    else this.listener.onEvent(step.value);
  }

  private startGrace(): void {
    this.grace = setTimeout(() => {
      this.isGraceOver = true;
      if (this.phase === 'returning') this.end();
      if (!this.isPerforming || !this.isBusy) return;
      if (this.isStoring) this.startGrace();
      else this.leaveBehind();
    }, GRACE_MS);
  }

  /** Abandons the agent. If it wakes up later, only its `finally` blocks run. */
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
  // Results and errors of an abandoned agent are ignored.
}
