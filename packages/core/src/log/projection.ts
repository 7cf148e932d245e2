import type { Event } from '../events/event.js';
import { DERIVED_VIEWS, EVENT_LOG, logOf, type Session } from '../events/session.js';
import { effectiveEntries } from './effective-events.js';

/**
 * A view derived from a session's log and kept up to date behind a cursor: each event is applied once. An event that
 * changes what earlier events mean, such as a rewind, discards the view; it is then rebuilt from the effective events.
 */
export abstract class Projection {
  private cursor = 0;

  /** Applies the events appended since the last call. */
  protected catchUp(session: Session): void {
    const events = logOf(session);
    if (this.cursor === events.length) return;
    const first = session.nextSeq - events.length;
    while (this.cursor < events.length) {
      const seq = first + this.cursor;
      const event = events[this.cursor++];
      if (!event) continue;
      if (!this.isInvalidatedBy(event)) this.apply(event, seq, session);
      else {
        this.reset(events);
        this.rebuild(session);
        this.cursor = events.length;
      }
    }
  }

  /** True if the view must be rebuilt because of an event that is about to be applied. */
  protected isInvalidatedBy({ actions }: Event): boolean {
    return actions.rewindBeforeInvocationId !== undefined;
  }

  /** Applies the effective events to the empty view. */
  protected rebuild(session: Session): void {
    for (const { event, seq } of effectiveEntries(session)) this.apply(event, seq, session);
  }

  /** Empties the view. */
  protected abstract reset(events: readonly Event[]): void;

  /** Applies one event of the log. `seq` is its sequence number, from 0. */
  protected abstract apply(event: Event, seq: number, session: Session): void;
}

/** A value for each session, created on first access and kept as long as the session's log. */
export class SessionSlot<Value> {
  private readonly index = slots++;

  constructor(private readonly make: () => Value) {}

  /** The value of a session, which is made at the first call. */
  of(session: Session): Value {
    const values = session[EVENT_LOG]?.[DERIVED_VIEWS] ?? valuesOf(session);
    return (values[this.index] ??= this.make()) as Value;
  }
}

let slots = 0;

/** The values of sessions without an `EventLog`. */
const others = new WeakMap<Session, unknown[]>();

function valuesOf(session: Session): unknown[] {
  let values = others.get(session);
  if (!values) others.set(session, (values = []));
  return values;
}
