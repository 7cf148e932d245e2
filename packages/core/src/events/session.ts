import type { Event } from './event.js';

/** Which conversation. */
export interface SessionKey {
  readonly appName: string;
  readonly userId: string;
  readonly sessionId: string;
}

/** A conversation: its events, oldest first, and the state they left behind. Shared and readonly. */
export interface Session {
  readonly appName: string;
  readonly userId: string;
  readonly id: string;
  /** What people know it by; undefined until it is given one. */
  readonly title?: string | undefined;
  /** Keys of the application (`app:`), of the user (`user:`) and of the session, in one view. Changed by events alone. */
  readonly state: Readonly<Record<string, unknown>>;
  /** One key of the state, for stores that read it without a copy of all keys. */
  findState?(key: string): unknown;
  /** The events as they are now: a list that was read does not grow, and is read again for later events. */
  readonly events: readonly Event[];
  /** The same events for `logOf`, where `events` is a copy; what is derived from them is kept there as well. */
  readonly [EVENT_LOG]?: EventLog;
  /** How many events were ever appended: the `seq` of the next one. */
  readonly nextSeq: number;
  /** Seconds since 1970, a float. */
  readonly lastUpdateTime: number;
}

/** A conversation without its events. */
export type SessionSummary = Omit<Session, 'events' | 'findState' | typeof EVENT_LOG>;

/** One key of a session's state. */
export function findState(session: Session, key: string): unknown {
  if (session.findState !== undefined) return session.findState(key);
  return Object.hasOwn(session.state, key) ? session.state[key] : undefined;
}

export function keyOf(session: SessionSummary): SessionKey {
  return { appName: session.appName, userId: session.userId, sessionId: session.id };
}

/** Where a session keeps the log that only its store appends to. */
export const EVENT_LOG: unique symbol = Symbol.for('adorn:event-log');

/** Where an event log keeps what was derived from it. A symbol, so that JSON does not write it. */
export const DERIVED_VIEWS: unique symbol = Symbol('derived views');

/** The events that a store holds of a session. Only the store appends; everybody else reads frozen copies. */
export class EventLog {
  readonly events: Event[] = [];
  /** One entry for each `SessionSlot`. */
  readonly [DERIVED_VIEWS]: unknown[] = [];
  private frozen: readonly Event[] = NONE;

  /** The events up to now, in a list that nobody can change. Copied again after an append. */
  get copy(): readonly Event[] {
    if (this.frozen.length !== this.events.length) this.frozen = Object.freeze(this.events.slice());
    return this.frozen;
  }
}

/** The events of a session, not copied. The list grows, and only the session's store may change it. */
export function logOf(session: Pick<Session, 'events' | typeof EVENT_LOG>): readonly Event[] {
  return session[EVENT_LOG]?.events ?? session.events;
}

const NONE: readonly Event[] = Object.freeze([]);
