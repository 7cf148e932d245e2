import { functionCallsOf } from '../content/content-parts.js';
import { CompactionMarker, isMarker } from './compaction-marker.js';
import type { Place } from './standing-events.js';
import { unfinishedCalls } from './unfinished-calls.js';

/** Undefined for a call that an agent without a model logged: a response without an id answers it. */
export type CallId = string | undefined;

/** A conversation with summaries in the place of what they cover. */
export interface CompactedView {
  /** Events that are not covered, and the markers whose summaries stand for the others, each once and in order. */
  readonly shown: readonly Place[];
  /** The ids of the calls that are covered: a later answer to one of them brings it back. */
  readonly coveredCalls: ReadonlySet<CallId>;
}

const NO_CALLS: ReadonlySet<CallId> = new Set();

/**
 * Lays the markers among standing events over the others: each event belongs to the newest marker that spans it. It
 * is covered unless it is of a call that has to stay whole.
 *
 * @param isWhole whether the first place is the log's first; if not, a marker may stand for what was not loaded
 */
export function compactedView(places: readonly Place[], isWhole = true): CompactedView {
  const events = places.filter(({ event }) => !isMarker(event));
  const markers = events.length === places.length ? [] : outermost(places);
  if (markers.length === 0) return { shown: events, coveredCalls: NO_CALLS };
  const owners = ownersOf(events, markers);
  const held = unfinishedCalls(
    events.map(({ event }) => event),
    (index) => owners[index] !== undefined,
  );
  const isCovered = (index: number): boolean => owners[index] !== undefined && !held.has(index);
  const [first] = places;
  const before =
    isWhole || first === undefined ? [] : markers.filter((marker) => marker.reachesBefore(first));
  return {
    shown: laidOut(events, owners, isCovered, before),
    coveredCalls: callsOf(events, isCovered),
  };
}

/** The markers that no newer one contains, newest first. */
function outermost(places: readonly Place[]): CompactionMarker[] {
  const found: CompactionMarker[] = [];
  for (const place of [...places].reverse()) {
    const marker = CompactionMarker.of(place);
    if (marker !== undefined && !found.some((newer) => newer.contains(marker))) found.push(marker);
  }
  return found;
}

/** A summary stands where the first event of its marker does, if there is anything that it covers. */
function laidOut(
  events: readonly Place[],
  owners: readonly (CompactionMarker | undefined)[],
  isCovered: (index: number) => boolean,
  before: readonly CompactionMarker[],
): Place[] {
  const covering = new Set(owners.filter((_owner, index) => isCovered(index)));
  const shown = [...before].reverse().map(({ place }) => place);
  const told = new Set<CompactionMarker | undefined>(before);
  for (const [index, place] of events.entries()) {
    const owner = owners[index];
    if (owner !== undefined && covering.has(owner) && !told.has(owner)) {
      told.add(owner);
      shown.push(owner.place);
    }
    if (!isCovered(index)) shown.push(place);
  }
  return shown;
}

function callsOf(events: readonly Place[], isCovered: (index: number) => boolean): Set<CallId> {
  const calls = new Set<CallId>();
  for (const [index, { event }] of events.entries()) {
    for (const { id } of functionCallsOf(event.content)) {
      if (isCovered(index)) calls.add(id);
      else calls.delete(id);
    }
  }
  return calls;
}

/**
 * For each event the newest marker that spans it.
 *
 * @param markers newest first
 */
function ownersOf(
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
