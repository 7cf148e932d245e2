import type { Content } from '../content/genai-types.js';
import { COVERED_SEQS, type SeqRange } from '../events/event-compaction.js';
import { Event } from '../events/event.js';
import type { Place } from '../events/standing-events.js';
import { newInvocationId } from '../runtime/ids.js';

/** The event that stands for the ones at some places. It is of an invocation of its own: a rewind to it undoes it. */
export function markerEvent(
  covered: readonly Place[],
  seqs: SeqRange,
  compactedContent: Content,
  timestamp: number,
): Event {
  const times = covered.map(({ event }) => event.timestamp);
  const compaction = {
    startTimestamp: times.reduce((a, b) => Math.min(a, b), Infinity),
    endTimestamp: times.reduce((a, b) => Math.max(a, b), -Infinity),
    compactedContent,
  };
  return new Event(
    { author: 'user', actions: { compaction }, customMetadata: { [COVERED_SEQS]: seqs } },
    { invocationId: newInvocationId(), timestamp },
  );
}
