import { EventTimeInvalidError } from '../events/errors.js';
import { Event, type EventFields } from '../events/event.js';
import { assertName, checkName } from '../names/check-name.js';
import { persistedDelta, scopeOf, type StateDelta } from '../state/state.js';

/** A write to the session's own keys without an event, by `createSession` or `updateSession`. */
export interface StateUpdate {
  /** The `nextSeq` of the session at the write: the event with this `seq` came later. */
  readonly seq: number;
  readonly stateDelta: StateDelta;
}

/** A session for export and import. */
export interface SessionRecord {
  readonly title?: string | undefined;
  /** The session's own keys as they are at the end of its log. */
  readonly state: Readonly<Record<string, unknown>>;
  readonly events: readonly Event[];
  /** What `SessionService.stateUpdates` returned. */
  readonly stateUpdates?: readonly StateUpdate[];
}

/** The keys of the session itself: those of the application, of the user and of an invocation left out. */
export function ownState(state: StateDelta): Record<string, unknown> {
  return Object.fromEntries(Object.entries(state).filter(([key]) => scopeOf(key) === 'session'));
}

/** Copies the event with only session-scoped state writes; returns it unchanged if there are no others. */
export function withOwnState(event: Event): Event {
  const { stateDelta } = event.actions;
  const isOwn = Object.keys(stateDelta).every((key) => scopeOf(key) === 'session');
  return isOwn ? event : withStateDelta(event, ownState(stateDelta));
}

/** The delta that removes every key. */
export function removalOf(state: Readonly<Record<string, unknown>>): StateDelta {
  return Object.fromEntries(Object.keys(state).map((key) => [key, null]));
}

/**
 * The event as it is stored: without `temp:` state. Returns the same event if it has none.
 *
 * @throws {ValueNotJsonError} if a value of its state delta is not JSON
 * @throws {NameInvalidError | NameTooLongError} if its id, author, invocation id, a state key or a request id is not
 *   valid or too long
 * @throws {EventTimeInvalidError} if the timestamp is not a finite number
 */
export function persistedEvent(event: Event): Event {
  checkName('id of an event', event.id);
  checkName('id of an invocation', event.invocationId);
  checkName('author of an event', event.author);
  if (event.branch !== undefined) assertName('branch of an event', event.branch);
  if (!Number.isFinite(event.timestamp)) throw new EventTimeInvalidError(event.timestamp);
  for (const id of event.longRunningToolIds) checkName('id of a request', id);
  return withStateDelta(event, persistedDelta(event.actions.stateDelta));
}

/** A partial event as it is yielded: without `temp:` state. It is never stored. */
export function yieldedPiece(event: Event): Event {
  return withStateDelta(event, persistedDelta(event.actions.stateDelta));
}

/** A copy of the event with another state delta; the same event if the delta is unchanged. */
function withStateDelta(event: Event, stateDelta: StateDelta): Event {
  if (stateDelta === event.actions.stateDelta) return event;
  const fields: EventFields = event;
  return new Event({ ...fields, actions: { ...event.actions, stateDelta } });
}
