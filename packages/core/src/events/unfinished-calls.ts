import { functionCallsOf, functionResponsesOf } from '../content/function-parts.js';
import type { FunctionCall, FunctionResponse } from '../content/genai-types.js';
import type { Event } from './event.js';
import { isRequestName } from './request-names.js';

/** The calls of one event, and all events that answer them. */
interface Batch {
  /** Indexes of events, that of the calls first. */
  readonly events: number[];
  /** The ids of calls that were not answered for good. */
  readonly open: Set<string>;
}

/**
 * The events that may not be covered: those of calls which were not answered for good, and those of calls whose
 * events are not all within what is covered. A call and its response stay together so, and what somebody waits for
 * stays where it can be answered.
 *
 * @param isSpanned whether the event at an index is within what is covered
 * @returns indexes of the events
 */
export function unfinishedCalls(
  events: readonly Event[],
  isSpanned: (index: number) => boolean,
): ReadonlySet<number> {
  const batches = batchesOf(events);
  const isUnfinished = ({ open, events: own }: Batch): boolean => open.size > 0 || !own.every(isSpanned);
  const held = new Set<number>();
  const unfinished = new Set([...batches.values()].flat().filter(isUnfinished));
  // A set that grows is gone through to its end.
  for (const batch of unfinished) {
    for (const index of batch.events) {
      held.add(index);
      for (const other of batches.get(index) ?? []) unfinished.add(other);
    }
  }
  return held;
}

/** The calls that an event makes, talk with a person left out. */
function toolCallsOf({ content }: Event): FunctionCall[] {
  return content?.role === 'user' ? [] : functionCallsOf(content).filter(isTools);
}

function isTools({ name }: FunctionCall | FunctionResponse): boolean {
  return !isRequestName(name);
}

/** The batches that each event belongs to: an event may answer calls of several. */
function batchesOf(events: readonly Event[]): Map<number, Batch[]> {
  const byEvent = new Map<number, Batch[]>();
  const byCall = new Map<string, Batch>();
  for (const [index, event] of events.entries()) {
    const calls = toolCallsOf(event);
    if (calls.length > 0) {
      const batch = { events: [index], open: new Set(calls.map(({ id = '' }) => id)) };
      for (const id of batch.open) byCall.set(id, batch);
      byEvent.set(index, [batch]);
    }
    for (const response of functionResponsesOf(event.content).filter(isTools)) {
      const batch = byCall.get(response.id ?? '');
      if (batch === undefined) continue;
      if (response.willContinue !== true) batch.open.delete(response.id ?? '');
      if (batch.events.at(-1) === index) continue;
      batch.events.push(index);
      byEvent.set(index, [...(byEvent.get(index) ?? []), batch]);
    }
  }
  return byEvent;
}
