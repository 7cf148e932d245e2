import type { Event } from '../events/event.js';
import { logOf, type Session } from '../events/session.js';

/** An event and its sequence number in the log. */
export interface LogEntry {
  /** From 0. */
  readonly seq: number;
  /** Frozen. */
  readonly event: Event;
}

/**
 * The events that still count, oldest first: without those that a rewind undid, and without the rewinds themselves. A
 * rewind restores the conversation to just before the invocation that it names, whatever was undone before or since.
 */
export function effectiveEvents(events: readonly Event[]): Event[] {
  return [...effectiveEventsBackwards(events)].reverse();
}

/** The effective events with their sequence numbers, which start above 0 if only a part of the log was loaded. */
export function effectiveEntries(session: Session): LogEntry[] {
  const { nextSeq } = session;
  const events = logOf(session);
  const first = nextSeq - events.length;
  const entries: LogEntry[] = [];
  for (const [index, event] of backwards(events)) entries.push({ seq: first + index, event });
  return entries.reverse();
}

/** The effective events, newest first. Reads no further than the caller does, except after a rewind. */
export function* effectiveEventsBackwards(events: readonly Event[]): Generator<Event, void, undefined> {
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
    } else if (event) yield [index, event];
  }
}

/** The index of the first event of each invocation before `end`. An invocation that is missing began before the log. */
function startsOf(events: readonly Event[], end: number): Map<string, number> {
  const starts = new Map<string, number>();
  for (let index = end - 1; index >= 0; index--) starts.set(events[index]?.invocationId ?? '', index);
  return starts;
}
