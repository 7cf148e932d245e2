import type { Event } from './event.js';
import type { Session } from './session.js';

/** Where a session keeps the log that only its store appends to. */
export const EVENT_LOG: unique symbol = Symbol.for('adorn:event-log');

/** The events that a store holds of a session. Only the store appends; everybody else reads frozen copies. */
export class EventLog {
  readonly events: Event[] = [];
  private frozen: readonly Event[] = NONE;

  /** The events up to now, in a list that nobody can change. Copied again after an append. */
  get copy(): readonly Event[] {
    if (this.frozen.length !== this.events.length) this.frozen = Object.freeze(this.events.slice());
    return this.frozen;
  }
}

/**
 * The events of a session without a copy, for projections of the log that are brought up to date at every turn. The
 * list grows, and nobody but its store may change it.
 */
export function logOf(session: Pick<Session, 'events' | typeof EVENT_LOG>): readonly Event[] {
  return session[EVENT_LOG] ?? session.events;
}

const NONE: readonly Event[] = Object.freeze([]);
