import { runPathOf } from '../events/event-place.js';
import { type Event, isFinalResponse } from '../events/event.js';
import { unfinishedCalls } from './compaction-event.js';
import type { LogEntry } from './effective-events.js';

/**
 * The last sequence number before the incomplete invocations at the end of a conversation: paused, interrupted, or
 * still running elsewhere. An older incomplete invocation does not delay a summary.
 */
export function lastCompletedSeq(entries: readonly LogEntry[]): number {
  let end = entries.at(-1)?.seq ?? -1;
  for (const span of spansOf(entries).reverse()) {
    if (isCompleted(span)) break;
    end = Math.min(end, span.start - 1);
  }
  return end;
}

/** The events of one invocation. */
interface InvocationSpan {
  readonly start: number;
  last: Event;
  hasOpenCall: boolean;
}

/** The invocations, in the order in which they began. */
function spansOf(entries: readonly LogEntry[]): InvocationSpan[] {
  const open = unfinishedCalls(
    entries.map(({ event }) => event),
    () => true,
  );
  const spans = new Map<string, InvocationSpan>();
  for (const [index, { seq, event }] of entries.entries()) {
    const span = spans.get(event.invocationId) ?? { start: seq, last: event, hasOpenCall: false };
    spans.set(event.invocationId, span);
    span.last = event;
    span.hasOpenCall ||= open.has(index);
  }
  return [...spans.values()];
}

/** The recorded end of a run counts if it is that of the root: after the end of a run below it, the root goes on. */
function isCompleted({ last, hasOpenCall }: InvocationSpan): boolean {
  if (hasOpenCall || last.author === 'user') return false;
  return last.actions.endOfAgent === true ? isOfRoot(last) : isFinalResponse(last);
}

function isOfRoot(event: Event): boolean {
  return runPathOf(event)?.includes('/') !== true;
}
