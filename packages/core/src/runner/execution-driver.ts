import type { Event } from '../events/event.js';
import type { Cancellation } from '../invocation/cancellation.js';
import { type Awaitable, isPromiseLike } from '../runtime/awaitable.js';

/** What a run does, part after part. */
export interface Execution {
  /** Opens the session and takes the message. Yields what there is to say before the agents run. */
  begin(): AsyncGenerator<Event, void, undefined>;
  /** Begins the next agent; undefined if none is left. Asked behind the beginning, and behind each agent. */
  nextAgent(): AsyncGenerator<Event, void, undefined> | undefined;
  /** Stores an event of an agent. Returns it as it is to be shown; undefined if the agent does not go on. */
  accept(event: Event): Awaitable<Event | undefined>;
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
  private phase: 'beginning' | 'running' | 'closing' | 'returning' | 'settling' | 'ended' = 'beginning';
  /** Whether it waits for a store, and not for an agent, which may be left behind. */
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
      this.source.next().then(this.stepped, this.failed);
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
    try {
      const accepted = this.execution.accept(event);
      if (isPromiseLike(accepted)) accepted.then(this.accepted, this.refused);
      else this.accepted(accepted);
    } catch (error) {
      this.refused(error);
    }
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

  /** What the agent's `finally` blocks throw does not hide why they run. */
  private readonly refused = (error: unknown): void => {
    const end = (): void => {
      this.end({ error });
    };
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
