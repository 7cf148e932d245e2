import type { Event } from './event.js';

/**
 * The events that still count, oldest first: those that a rewind undid, and the rewinds themselves, are left out. A
 * rewind puts the conversation back to just before the invocation that it names, whatever was undone then or since.
 */
export function standingEvents(events: readonly Event[]): Event[] {
  return [...standingBackwards(events)].reverse();
}

/** The same events, newest first; nothing is searched for until a rewind is met. */
export function* standingBackwards(events: readonly Event[]): Generator<Event, void, undefined> {
  let starts: ReadonlyMap<string, number> | undefined;
  for (let index = events.length - 1; index >= 0; index--) {
    const event = events[index];
    const undone = event?.actions.rewindBeforeInvocationId;
    if (undone !== undefined) {
      starts ??= startsOf(events, index);
      const start = starts.get(undone) ?? 0;
      index = start < index ? start : 0;
    } else if (event !== undefined) yield event;
  }
}

/** Where each invocation before a place begins. What is not there began before the first event that was loaded. */
function startsOf(events: readonly Event[], end: number): Map<string, number> {
  const starts = new Map<string, number>();
  for (let index = end - 1; index >= 0; index--) starts.set(events[index]?.invocationId ?? '', index);
  return starts;
}
