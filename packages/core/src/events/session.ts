import type { Event } from './event.js';
import type { RunRecord } from './run-record.js';

/** The address of a session. */
export interface SessionKey {
  /** The application that owns the session. */
  readonly appName: string;
  /** The user that owns the session. */
  readonly userId: string;
  /** Unique among the sessions of the user in the application. */
  readonly sessionId: string;
}

/** A conversation: its events, oldest first, and the state that they wrote. Shared and readonly. */
export interface Session {
  /** The application that owns the session. */
  readonly appName: string;
  /** The user that owns the session. */
  readonly userId: string;
  /** Unique among the sessions of the user in the application: `sessionId` of its key. */
  readonly id: string;
  /** A title for people; undefined until it is set. */
  readonly title?: string | undefined;
  /** Keys of the application (`app:`), of the user (`user:`) and of the session. Changed only by events. */
  readonly state: Readonly<Record<string, unknown>>;
  /** Reads one key of the state, for stores that can do so without copying all keys. */
  findState?(key: string): unknown;
  /** The events up to now. The returned list does not grow; read the property again for later events. */
  readonly events: readonly Event[];
  /** The log behind `events`, which `logOf` reads without a copy, and the views derived from it. */
  readonly [EVENT_LOG]?: EventLog;
  /** True once the session was deleted in this process. Default: false. */
  readonly isDeleted?: boolean;
  /** Tells apart sessions that had the same address one after another. Undefined in stores that cannot. */
  readonly [INCARNATION]?: unknown;
  /** The number of events ever appended: the sequence number of the next one. */
  readonly nextSeq: number;
  /** Seconds since 1970, a float. */
  readonly lastUpdateTime: number;
  /** The run that took the session last. Undefined if there was none, or the store does not record runs. */
  readonly lastRun?: RunRecord | undefined;
}

/** A session without its events. */
export type SessionSummary = Omit<
  Session,
  'events' | 'findState' | 'isDeleted' | typeof EVENT_LOG | typeof INCARNATION
>;

/** Reads one key of a session's state. */
export function findState(session: Session, key: string): unknown {
  if (session.findState) return session.findState(key);
  return Object.hasOwn(session.state, key) ? session.state[key] : undefined;
}

/** The address of a session. */
export function keyOf(session: SessionSummary): SessionKey {
  return { appName: session.appName, userId: session.userId, sessionId: session.id };
}

/** The key of what tells a session from an earlier one of the same address. */
export const INCARNATION: unique symbol = Symbol.for('adorn:incarnation');

/** An address that may name one session of several that had it. */
export interface ExactSessionKey extends SessionKey {
  /** Tells sessions apart that had the same address one after another; undefined for whichever exists. */
  readonly [INCARNATION]?: unknown;
}

/** True if a session exists now. */
export type SessionExists = (session: ExactSessionKey) => Promise<boolean>;

/** The address of this session, and of no later one. */
export function exactKeyOf(session: Session): ExactSessionKey {
  return withIncarnation(keyOf(session), session[INCARNATION]);
}

/** Adds what tells a session from earlier ones, which is neither listed nor written. */
export function withIncarnation<Value extends object>(value: Value, incarnation: unknown): Value {
  return Object.defineProperty(value, INCARNATION, { value: incarnation });
}

/** True if the session may be the one that the address names. */
export function isSession(session: Session, { [INCARNATION]: named }: ExactSessionKey): boolean {
  const { [INCARNATION]: found } = session;
  return named === undefined || found === undefined || named === found;
}

/** The fields that a store's own object of a session computes. */
const COMPUTED = ['title', 'state', 'events', 'nextSeq', 'lastUpdateTime', 'lastRun'] as const;

/**
 * Prepares a store's own object of a session to be handed out: nothing can be assigned to its fields, and `JSON.stringify`
 * and a spread see them. Their getters are those of its class.
 */
export function showFields(session: Session, { appName, userId, sessionId: id }: SessionKey): void {
  for (const [name, value] of Object.entries({ appName, userId, id }))
    Object.defineProperty(session, name, { value, enumerable: true });
  const prototype = Object.getPrototypeOf(session) as object;
  for (const name of COMPUTED) {
    const found = Object.getOwnPropertyDescriptor(prototype, name);
    Object.defineProperty(session, name, { ...found, enumerable: true, configurable: true });
  }
  Object.preventExtensions(session);
}

/** The key of a session's event log, to which only its store appends. */
export const EVENT_LOG: unique symbol = Symbol.for('adorn:event-log');

/** The key of the views derived from an event log. A symbol, so that `JSON.stringify` ignores it. */
export const DERIVED_VIEWS: unique symbol = Symbol('derived views');

/** The stored events of a session. Only the store appends; all others read frozen copies. */
export class EventLog {
  /** Oldest first; the index of an event is its sequence number. */
  readonly events: Event[] = [];
  /** One entry for each `SessionSlot`. */
  readonly [DERIVED_VIEWS]: unknown[] = [];
  private frozen: readonly Event[] = NONE;

  /** The events up to now, in a frozen list. Copied again after an append. */
  get copy(): readonly Event[] {
    if (this.frozen.length !== this.events.length) this.frozen = Object.freeze(this.events.slice());
    return this.frozen;
  }
}

/** The events of a session, without a copy. The list grows; only the session's store may change it. */
export function logOf(session: Pick<Session, 'events' | typeof EVENT_LOG>): readonly Event[] {
  return session[EVENT_LOG]?.events ?? session.events;
}

const NONE: readonly Event[] = Object.freeze([]);
