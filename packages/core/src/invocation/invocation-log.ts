import { AdornError } from '../errors/adorn.error.js';
import { EventIdTakenError } from '../events/errors.js';
import type { Event } from '../events/event.js';
import { keyOf, type Session } from '../events/session.js';
import type { Awaitable } from '../runtime/awaitable.js';
import { persistedEvent } from '../sessions/session-record.js';
import { APPEND_AT_ONCE, type AppendOptions, type SessionService } from '../sessions/session.service.js';
import { applyKey, isTemporary } from '../state/state.js';
import type { InvocationBudget } from './budget.js';
import { InvocationCancelledError } from './cancellation.js';

/** Returns the event that is stored and yielded in place of another, with the same id. */
export type EventReplacer = (event: Event) => Promise<Event>;

/** The parts of a log. */
export interface InvocationLogFields {
  readonly invocationId: string;
  readonly session: Session;
  readonly sessions: SessionService;
  /** Counts the events. */
  readonly budget: InvocationBudget;
  /** Absent if no plugin watches events. */
  readonly replaceEvent?: EventReplacer | undefined;
}

/** Writes the events of an invocation to its session: each once, one after another, and none after its end. */
export class InvocationLog {
  private readonly invocationId: string;
  private readonly sessions: SessionService;
  private readonly budget: InvocationBudget;
  private readonly replaceEvent: EventReplacer | undefined;
  private current: Session;
  /** `temp:` keys, which are dropped when the invocation ends. */
  private ownTemporary: Record<string, unknown> | undefined;
  /** The epoch of this writer. Stores refuse its appends after another process has claimed the invocation. */
  private epoch = 0;
  private hasAppended = false;
  private hasEnded = false;
  /** True during a write: events are stored one after another, even those of parallel agents. */
  private isStoring = false;
  private waiting: (() => void)[] | undefined;
  /** Why an event could not be stored. */
  private failure: unknown;
  /** The events written by this invocation, by id. */
  private readonly written = new Map<string, WrittenEvent>();

  constructor({ invocationId, session, sessions, budget, replaceEvent }: InvocationLogFields) {
    this.invocationId = invocationId;
    this.current = session;
    this.sessions = sessions;
    this.budget = budget;
    this.replaceEvent = replaceEvent;
  }

  get session(): Session {
    return this.current;
  }

  /** `temp:` keys. */
  get temporary(): Readonly<Record<string, unknown>> {
    return this.ownTemporary ?? NOTHING;
  }

  /**
   * Writes an event to the log once, even if it is appended and then yielded. The runner appends all events that agents
   * yield. A partial event is not written.
   *
   * @returns the stored event, without `temp:` keys
   * @throws {EventIdTakenError} if another event with the same id was written
   * @throws {InvocationCancelledError} after the end of the run, for example in an abandoned agent
   * @throws {SessionTakenOverError} if a run of another process has taken over the session
   */
  append(event: Event, options?: AppendOptions): Promise<Event> {
    try {
      return Promise.resolve(this.store(event, options));
    } catch (error) {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a store may throw anything
      return Promise.reject(error);
    }
  }

  /** Like `append`, but returns a promise only if the store does. */
  store(event: Event, options?: AppendOptions): Awaitable<Event> {
    if (event.partial) return event;
    const written = this.written.get(event.id);
    if (written !== undefined) {
      if (written.event === event) return written.stored;
      throw new EventIdTakenError(event.id);
    }
    return this.storeNew(event, options, this.replaceEvent);
  }

  /** Writes an event that no plugin replaces: the message that began the invocation, or a summary. */
  storeUnchanged(event: Event, options?: AppendOptions): Awaitable<Event> {
    return this.storeNew(event, options, undefined);
  }

  /** Writes events that must all be in the log before the first of them is yielded. */
  async appendAhead(events: readonly Event[]): Promise<void> {
    for (const event of events) await this.append(event);
  }

  /** True for the error of a store, as opposed to an agent's. */
  isFailure(error: unknown): boolean {
    return error !== undefined && error === this.failure;
  }

  /** Refuses all further appends. */
  end(): void {
    this.hasEnded = true;
  }

  private storeNew(
    event: Event,
    options: AppendOptions | undefined,
    replaceEvent: EventReplacer | undefined,
  ): Awaitable<Event> {
    this.budget.note(event);
    const entry: WrittenEvent = { event, stored: NOT_STORED };
    this.written.set(event.id, entry);
    return (entry.stored =
      this.storeAtOnce(event, options, replaceEvent) ?? this.storeInTurn(event, options, replaceEvent));
  }

  /** Stores synchronously. Returns undefined if it would have to wait for a plugin, another event, or the store. */
  private storeAtOnce(
    event: Event,
    options: AppendOptions | undefined,
    replaceEvent: EventReplacer | undefined,
  ): Event | undefined {
    const append = this.sessions[APPEND_AT_ONCE];
    if (append === undefined || replaceEvent !== undefined || this.isStoring) return undefined;
    try {
      const lasting = this.lasting(event);
      this.current = append(this.current, lasting, this.fenced(lasting, options));
      this.hasAppended = true;
      return lasting;
    } catch (error) {
      if (this.mayTakeBack(error)) return undefined;
      throw this.notStored(event, error);
    }
  }

  private async storeInTurn(
    event: Event,
    options: AppendOptions | undefined,
    replaceEvent: EventReplacer | undefined,
  ): Promise<Event> {
    try {
      this.refuseAfterEnd();
      const lasting = this.lasting(replaceEvent === undefined ? event : await replaceEvent(event));
      if (this.isStoring) await this.turnToStore();
      this.isStoring = true;
      try {
        this.current = await this.sessions.appendEvent(this.current, lasting, this.fenced(lasting, options));
      } catch (error) {
        this.current = await this.appendAgain(error, lasting, options);
      } finally {
        this.passTurn();
      }
      this.hasAppended = true;
      return lasting;
    } catch (error) {
      throw this.notStored(event, error);
    }
  }

  /** The event without `temp:` keys, which are written to the invocation. */
  private lasting(event: Event): Event {
    this.refuseAfterEnd();
    const lasting = persistedEvent(event);
    this.keepTemporary(event);
    return lasting;
  }

  private refuseAfterEnd(): void {
    if (this.hasEnded) throw new InvocationCancelledError();
  }

  private notStored(event: Event, error: unknown): unknown {
    this.failure = error;
    this.written.delete(event.id);
    return error;
  }

  private turnToStore(): Promise<void> {
    return new Promise((resolve) => {
      (this.waiting ??= []).push(resolve);
    });
  }

  private passTurn(): void {
    const next = this.waiting?.shift();
    if (next === undefined) this.isStoring = false;
    else next();
  }

  /** Stores the first event again after claiming the invocation, if another process had claimed it before. */
  private async appendAgain(error: unknown, event: Event, options?: AppendOptions): Promise<Session> {
    if (!this.mayTakeBack(error)) throw error;
    await this.claim();
    return this.sessions.appendEvent(this.current, event, this.fenced(event, options));
  }

  /** Claims the id of an earlier invocation that this one continues under the same id. */
  private async claim(): Promise<void> {
    this.epoch = await this.sessions.claimInvocation(keyOf(this.current), this.invocationId);
  }

  private mayTakeBack(error: unknown): boolean {
    return !this.hasAppended && AdornError.is(error) && error.code === 'SESSION_TAKEN_OVER';
  }

  /** Adds the epoch. An agent that runs as a tool has its own invocation id, but the epoch of the enclosing invocation. */
  private fenced({ invocationId }: Event, options: AppendOptions | undefined): AppendOptions {
    const { epoch, invocationId: epochOf } = this;
    if (invocationId !== epochOf) return { ...options, epoch, epochOf };
    return options === undefined && epoch === 0 ? FIRST_EPOCH : { ...options, epoch };
  }

  private keepTemporary(event: Event): void {
    const { stateDelta } = event.actions;
    for (const key in stateDelta) {
      if (isTemporary(key)) applyKey((this.ownTemporary ??= emptyRecord()), key, stateDelta[key]);
    }
  }
}

const FIRST_EPOCH: AppendOptions = Object.freeze({ epoch: 0 });

interface WrittenEvent {
  readonly event: Event;
  stored: Awaitable<Event>;
}

/** A placeholder for the promise of a write that is about to begin. */
const NOT_STORED = new Promise<Event>(() => undefined);

const NOTHING: Readonly<Record<string, unknown>> = Object.freeze(emptyRecord());

/** Without a prototype, so that inherited names are not keys. */
function emptyRecord(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}
