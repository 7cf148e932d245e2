import type { EVENT_LOG, EventLog } from './event-log.js';
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
