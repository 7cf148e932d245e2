import { EventIdTakenError } from '../events/errors.js';
import { Event, type EventFields } from '../events/event.js';
import type { LogRedaction } from '@adorn/schema';
import type { RunOpening } from '../events/run-record.js';
import type { Session } from '../events/session.js';
import { type LabelledTools, NO_LABELLED_TOOLS, RESULT_LABELS } from '../log/labelled-results.js';
import { labelledToolsOf, withMarks } from '../log/labelled-state.js';
import { persistedEvent } from '../stores/sessions/session-record.js';
import type { AppendOptions, SessionService } from '../stores/sessions/session.service.js';
import { applyKey, isTemporary } from '../events/state.js';
import type { InvocationBudget } from './budget.js';
import { InvocationCancelledError } from './cancellation.js';
import { withSafeError } from './invocation-services.js';

/** Returns the event that is stored and yielded in place of another, with the same id. */
export type EventReplacer = (event: Event) => Promise<Event>;

/** The parts of a log. */
export interface InvocationLogFields {
  readonly session: Session;
  readonly sessions: SessionService;
  /** Counts the events. */
  readonly budget: InvocationBudget;
  /** The run takes the session with its first event. Absent if the store does not record runs, or it has the session. */
  readonly opening?: RunOpening | undefined;
  /** The epoch of a run that has the session. */
  readonly epoch?: number | undefined;
  /** Cleans the error texts of events. Default: only what has the form of a credential is removed. */
  readonly redaction?: LogRedaction | undefined;
  /** Absent if no plugin watches events. */
  readonly replaceEvent?: EventReplacer | undefined;
}

/** Writes the events of an invocation to its session: each once, one after another, and none after its end. */
export class InvocationLog {
  private readonly sessions: SessionService;
  private readonly budget: InvocationBudget;
  private readonly replaceEvent: EventReplacer | undefined;
  private readonly redaction: LogRedaction | undefined;
  private current: Session;
  /** `temp:` keys, which are dropped when the invocation ends. */
  private ownTemporary: Readonly<Record<string, unknown>> = NOTHING;
  /** Tools whose labelled results the run has read in the state since its last event. */
  private read: LabelledTools = NO_LABELLED_TOOLS;
  /** Until the first append. */
  private opening: RunOpening | undefined;
  private ownEpoch: number | undefined;
  private fence: AppendOptions;
  private hasEnded = false;
  /** The write before the next: events are stored one after another, even those of parallel agents. */
  private writing: Promise<unknown> = Promise.resolve();
  /** Why an event could not be stored. */
  private failure: unknown;
  /** The events written by this invocation, by id. */
  private readonly written = new Map<string, WrittenEvent>();

  constructor({ session, sessions, budget, opening, epoch, redaction, replaceEvent }: InvocationLogFields) {
    this.current = session;
    this.opening = opening;
    this.ownEpoch = epoch;
    this.fence = opening ? { opens: opening } : { epoch };
    this.sessions = sessions;
    this.budget = budget;
    this.replaceEvent = replaceEvent;
    this.redaction = redaction;
  }

  get session(): Session {
    return this.current;
  }

  /** `temp:` keys, frozen. */
  get temporary(): Readonly<Record<string, unknown>> {
    return this.ownTemporary;
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
  async append(event: Event, options?: AppendOptions): Promise<Event> {
    if (event.partial) return event;
    const written = this.written.get(event.id);
    if (!written) return this.write(event, options, this.replaceEvent);
    if (written.event === event || (await written.stored) === event) return written.stored;
    throw new EventIdTakenError(event.id);
  }

  /** Writes an event that no plugin replaces: the message that began the invocation, or a summary. */
  appendUnchanged(event: Event, options?: AppendOptions): Promise<Event> {
    return this.write(event, options, undefined);
  }

  /** Writes events, all or none, before the first of them is yielded. */
  async appendAhead(events: readonly Event[]): Promise<void> {
    const fresh = events.filter(({ id }) => !this.written.has(id));
    const append = (lasting: readonly Event[]): Promise<Session> =>
      this.sessions.appendEvents(this.current, lasting, this.fence);
    const storing = this.store(fresh, append, this.replaceEvent);
    for (const [index, event] of fresh.entries()) {
      const stored = storing.then((all) => all[index] ?? event);
      stored.catch(noop);
      this.written.set(event.id, { event, stored });
    }
    await storing;
  }

  /** True for the error of a store, as opposed to an agent's. */
  isFailure(error: unknown): boolean {
    return error !== undefined && error === this.failure;
  }

  /** True if a plugin may replace events. */
  get replacesEvents(): boolean {
    return this.replaceEvent !== undefined;
  }

  /** The epoch of the run. Undefined until it has the session, and in a store that does not record runs. */
  get epoch(): number | undefined {
    return this.ownEpoch;
  }

  /** True if an event was written. */
  get hasWritten(): boolean {
    return this.written.size > 0;
  }

  /** Notes that the run reads a key of the state: labelled results in its value label the conversation. */
  noteRead(key: string): void {
    for (const label of RESULT_LABELS) {
      const tools = labelledToolsOf(this.current, key, label);
      if (tools.length > 0) this.read = { ...this.read, [label]: [...this.read[label], ...tools] };
    }
  }

  /** True if all further appends are refused. */
  get isOver(): boolean {
    return this.hasEnded;
  }

  /** Refuses all further appends. */
  end(): void {
    this.hasEnded = true;
  }

  private write(
    event: Event,
    options: AppendOptions | undefined,
    replaceEvent: EventReplacer | undefined,
  ): Promise<Event> {
    const append = ([lasting]: readonly Event[]): Promise<Session> =>
      this.sessions.appendEvent(this.current, lasting as Event, { ...options, ...this.fence });
    const stored = this.store([event], append, replaceEvent).then(([lasting = event]) => lasting);
    this.written.set(event.id, { event, stored });
    return stored;
  }

  /** Stores events when those before them are stored. */
  private async store(
    events: readonly Event[],
    append: (lasting: readonly Event[]) => Promise<Session>,
    replaceEvent: EventReplacer | undefined,
  ): Promise<readonly Event[]> {
    for (const event of events) this.budget.note(event);
    try {
      const lasting: Event[] = [];
      for (const event of events) lasting.push(await this.replaced(event, replaceEvent));
      const writing = this.writing.then(async () => {
        this.current = await append(lasting);
        this.noteOpen();
      });
      this.writing = writing.catch(noop);
      await writing;
      return lasting;
    } catch (error) {
      this.failure = error;
      for (const { id } of events) this.written.delete(id);
      throw error;
    }
  }

  private async replaced(event: Event, replaceEvent: EventReplacer | undefined): Promise<Event> {
    this.refuseAfterEnd();
    return this.lasting(replaceEvent ? await replaceEvent(event) : event);
  }

  /** The event without `temp:` keys, which are written to the invocation. */
  private lasting(event: Event): Event {
    this.refuseAfterEnd();
    const lasting = this.marked(persistedEvent(this.withSafeError(event)));
    this.noteTemporaryState(event);
    return lasting;
  }

  /** The event with its marks of labelled results. Messages of users are not asked for such marks, so they bear none. */
  private marked(event: Event): Event {
    if (event.author === 'user') return event;
    const { read } = this;
    this.read = NO_LABELLED_TOOLS;
    return withMarks(event, this.current, read);
  }

  /** Also of an event that an agent has made by itself. */
  private withSafeError(event: Event): Event {
    const fields = withSafeError<EventFields>(event, this.redaction);
    return fields === event ? event : new Event(fields);
  }

  private refuseAfterEnd(): void {
    if (this.hasEnded) throw new InvocationCancelledError();
  }

  private noteOpen(): void {
    if (!this.opening) return;
    this.ownEpoch = this.opening.after + 1;
    this.opening = undefined;
    this.fence = { epoch: this.ownEpoch };
  }

  private noteTemporaryState(event: Event): void {
    const { stateDelta } = event.actions;
    let written: Record<string, unknown> | undefined;
    for (const key in stateDelta) {
      if (!isTemporary(key)) continue;
      written ??= Object.assign(emptyRecord(), this.ownTemporary);
      applyKey(written, key, stateDelta[key]);
    }
    if (written) this.ownTemporary = Object.freeze(written);
  }
}

interface WrittenEvent {
  readonly event: Event;
  readonly stored: Promise<Event>;
}

function noop(): void {
  // Whoever waits for the events gets the error.
}

const NOTHING: Readonly<Record<string, unknown>> = Object.freeze(emptyRecord());

/** Without a prototype, so that inherited names are not keys. */
function emptyRecord(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}
