import { EventTimeInvalidError } from '../events/errors.js';
import { Event, type EventFields } from '../events/event.js';
import { assertName, checkName } from '../names/check-name.js';
import { persistedDelta, type StateDelta } from '../state/state.js';

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
export function withStateDelta(event: Event, stateDelta: StateDelta): Event {
  if (stateDelta === event.actions.stateDelta) return event;
  const fields: EventFields = event;
  return new Event({ ...fields, actions: { ...event.actions, stateDelta } });
}
