import type { Event } from '../events/event.js';
import { scopeOf, type StateDelta } from '../state/state.js';
import { withStateDelta } from './persisted-event.js';

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
