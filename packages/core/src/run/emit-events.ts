import type { EventSink } from '../events/event-sink.js';
import type { Event } from '../events/event.js';
import { Channel } from '../runtime/channel.js';
import { NotTakenError } from './cancellation.js';
import { AgentStoppedError } from './errors.js';
import type { InvocationContext } from './invocation-context.js';

/** How an agent ended. `stopped`: it waits for an answer, was cancelled, or its code no longer fits the log. */
export type Performed = 'done' | 'stopped';

const stops = new WeakSet<Event>();

/**
 * The event that a generator yields where a run stops. Each generator above passes it on and is closed, so that no code
 * after `yield* context.invoke(…)` runs. To a `for await` it is an empty piece of the agent that stopped.
 */
export function stopEvent(context: Pick<InvocationContext, 'agent' | 'event'>): Event {
  const stop = context.event({ author: context.agent.name, partial: true });
  stops.add(stop);
  return stop;
}

export function isStopEvent(event: Event): boolean {
  return stops.has(event);
}

/** Emits the events of a generator. If it stops or an event is not taken, its `finally` blocks run. */
export async function emitEvents(
  events: AsyncGenerator<Event, void, undefined>,
  sink: EventSink,
): Promise<Performed> {
  for (;;) {
    const { done, value } = await events.next();
    if (done === true) return 'done';
    if (isStopEvent(value)) {
      await events.return();
      return 'stopped';
    }
    try {
      await sink.emit(value);
    } catch (error) {
      await events.return();
      throw error;
    }
  }
}

type Step<Result> = IteratorResult<Event, Result>;

/** The events of an emitting run as a generator, to be read by `yield*`. The run continues when its next event is requested. */
export class EmittedEvents<Result> implements AsyncGenerator<Event, Result, undefined>, EventSink {
  private readonly channel = new Channel<Event>();
  private running: Promise<void> | undefined;
  private failure: { readonly error: unknown } | undefined;
  private isClosed = false;

  /**
   * @param context of the run
   * @param perform returns undefined if the run stops
   */
  constructor(
    private readonly context: InvocationContext,
    private readonly perform: (sink: EventSink) => Promise<Result | undefined>,
  ) {}

  async emit(event: Event): Promise<void> {
    if (this.isClosed) throw new NotTakenError();
    await this.channel.turn();
    this.channel.push(event);
    await this.channel.requested();
  }

  next(): Promise<Step<Result>> {
    const step = this.channel.next() as Promise<Step<Result>>;
    if (!this.isClosed) this.running ??= this.run();
    return step;
  }

  /** Resolves when the `finally` blocks of the run have run. */
  async return(value: Result | PromiseLike<Result>): Promise<Step<Result>> {
    if (!this.isClosed) {
      this.isClosed = true;
      this.channel.interrupt(new NotTakenError());
      await this.running;
      this.channel.drop();
      if (this.failure) throw this.failure.error;
      this.channel.end();
    }
    return { done: true, value: await value };
  }

  async throw(error: unknown): Promise<Step<Result>> {
    await this.return(undefined as never);
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return(undefined as never);
  }

  private async run(): Promise<void> {
    try {
      const result = await this.perform(this);
      if (this.isClosed) return;
      if (result === undefined) this.channel.push(stopEvent(this.context));
      this.end(() =>
        result === undefined
          ? Promise.reject(new AgentStoppedError(this.context.path))
          : Promise.resolve({ done: true, value: result }),
      );
    } catch (error) {
      if (this.isClosed && error instanceof NotTakenError) return;
      this.failure = { error };
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- an agent may throw anything
      this.end(() => Promise.reject(error));
    }
  }

  /** The result or the error is given once. */
  private end(ending: () => Promise<Step<Result>>): void {
    this.channel.end(() => {
      this.channel.end();
      return ending() as Promise<IteratorResult<Event, void>>;
    });
  }
}
