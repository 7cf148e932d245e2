import type { CompactionMarker } from './compaction-marker.js';
import type { Place } from './standing-events.js';

/**
 * For each event the newest marker that spans it.
 *
 * @param markers newest first
 */
export function ownersOf(
  events: readonly Place[],
  markers: readonly CompactionMarker[],
): (CompactionMarker | undefined)[] {
  const owners = new Array<CompactionMarker | undefined>(events.length).fill(undefined);
  for (const marker of markers) {
    for (let index = firstOf(events, marker); index < events.length; index++) {
      const place = events[index];
      if (place === undefined || place.seq > (marker.seqs?.end ?? marker.place.seq)) break;
      if (marker.spans(place)) owners[index] ??= marker;
    }
  }
  return owners;
}

/** The index of the first event that a marker may span. */
function firstOf(events: readonly Place[], { seqs }: CompactionMarker): number {
  if (seqs === undefined) return 0;
  let low = 0;
  for (let high = events.length; low < high;) {
    const middle = (low + high) >> 1;
    if ((events[middle]?.seq ?? Infinity) < seqs.start) low = middle + 1;
    else high = middle;
  }
  return low;
}
