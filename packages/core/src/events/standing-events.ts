import { logOf, type Session } from './session.js';
import type { Event } from './event.js';

/** An event and its place in the log. */
export interface Place {
  readonly seq: number;
  readonly event: Event;
}

/**
 * The events that still count, oldest first: those that a rewind undid, and the rewinds themselves, are left out. A
 * rewind puts the conversation back to just before the invocation that it names, whatever was undone then or since.
 */
export function standingEvents(events: readonly Event[]): Event[] {
  return [...standingBackwards(events)].reverse();
}

/** The same events, each with its place: not the first of a log where only a part of it was loaded. */
export function standingPlaces(session: Session): Place[] {
  const { nextSeq } = session;
  const events = logOf(session);
  const first = nextSeq - events.length;
  const places: Place[] = [];
  for (const [index, event] of backwards(events)) places.push({ seq: first + index, event });
  return places.reverse();
}

/** The same events, newest first; nothing is searched for until a rewind is met. */
export function* standingBackwards(events: readonly Event[]): Generator<Event, void, undefined> {
  for (const [, event] of backwards(events)) yield event;
}

function* backwards(events: readonly Event[]): Generator<readonly [number, Event], void, undefined> {
  let starts: ReadonlyMap<string, number> | undefined;
  for (let index = events.length - 1; index >= 0; index--) {
    const event = events[index];
    const undone = event?.actions.rewindBeforeInvocationId;
    if (undone !== undefined) {
      starts ??= startsOf(events, index);
      const start = starts.get(undone) ?? 0;
      index = start < index ? start : 0;
    } else if (event !== undefined) yield [index, event];
  }
}

/** Where each invocation before a place begins. What is not there began before the first event that was loaded. */
function startsOf(events: readonly Event[], end: number): Map<string, number> {
  const starts = new Map<string, number>();
  for (let index = end - 1; index >= 0; index--) starts.set(events[index]?.invocationId ?? '', index);
  return starts;
}
