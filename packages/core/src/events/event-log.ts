import type { Event } from './event.js';
import type { Session } from './session.js';

/** Where a session keeps the log that only its store appends to. */
export const EVENT_LOG: unique symbol = Symbol.for('adorn:event-log');

const VIEWS = Symbol('views');

/** The events that a store holds of a session. Only the store appends; everybody else reads frozen copies. */
export class EventLog {
  readonly events: Event[] = [];
  /** What was derived from the events, each in the slot of its `Projection`. Under a symbol, for JSON not to write it. */
  readonly [VIEWS]: unknown[] = [];
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
  return session[EVENT_LOG]?.events ?? session.events;
}

/**
 * Something that is derived from the log of a session and kept up behind a cursor: made once for each session, and kept
 * as long as the session is.
 */
export class Projection<View> {
  private readonly slot = slots++;

  /** @param make begins the view of a session that has none yet */
  constructor(private readonly make: () => View) {}

  of(session: Session): View {
    const views = session[EVENT_LOG]?.[VIEWS] ?? viewsOf(session);
    return (views[this.slot] ??= this.make()) as View;
  }
}

let slots = 0;

/** The views of sessions whose stores keep no `EventLog`. */
const others = new WeakMap<Session, unknown[]>();

function viewsOf(session: Session): unknown[] {
  let views = others.get(session);
  if (views === undefined) others.set(session, (views = []));
  return views;
}

const NONE: readonly Event[] = Object.freeze([]);
