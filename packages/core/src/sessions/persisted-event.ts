import { EventTimeInvalidError } from '../events/event-invalid.error.js';
import { Event, type EventFields } from '../events/event.js';
import { assertName, checkName } from '../names/check-name.js';
import { persistedDelta, type StateDelta } from '../state/state-delta.js';

/**
 * The event as it is stored: without what lasts no longer than its invocation. The same one where there is no such
 * thing.
 *
 * @throws {ValueNotJsonError} at a value of its state delta that JSON cannot hold
 * @throws {NameInvalidError | NameTooLongError} at its id, its author, its invocation, a key of its state delta, or
 *   the id of a request that it asks
 * @throws {EventTimeInvalidError} at a timestamp that is not a finite number
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

/** A partial event as it is yielded: without `temp:` keys. It is never stored. */
export function yieldedPiece(event: Event): Event {
  return withStateDelta(event, persistedDelta(event.actions.stateDelta));
}

/** The event with another delta; the same one where it has that delta. */
export function withStateDelta(event: Event, stateDelta: StateDelta): Event {
  if (stateDelta === event.actions.stateDelta) return event;
  const fields: EventFields = event;
  return new Event({ ...fields, actions: { ...event.actions, stateDelta } });
}
