import { functionCallsOf } from '../content/content-parts.js';
import { CompactionEvent, isCompaction } from './compaction-event.js';
import type { LogEntry } from './effective-events.js';
import { unfinishedCalls } from './unfinished-calls.js';

/** Undefined for a call logged without an id: a response without an id answers it. */
export type CallId = string | undefined;

/** A conversation with summaries in entry of the events that they cover. */
export interface CompactedView {
  /** Events that are not covered, and the compaction events whose summaries replace the others, in order. */
  readonly shown: readonly LogEntry[];
  /** Ids of the covered calls. A later answer to one of them makes its events visible again. */
  readonly coveredCalls: ReadonlySet<CallId>;
}

const NO_CALLS: ReadonlySet<CallId> = new Set();

/**
 * Applies the compaction events among effective events: each event belongs to the newest compaction whose range
 * includes it, and is covered unless it belongs to an unfinished call.
 *
 * @param isWhole whether the first entry is the log's first; if not, a compaction may cover events that were not loaded
 */
export function compactedView(entries: readonly LogEntry[], isWhole = true): CompactedView {
  const events = entries.filter(({ event }) => !isCompaction(event));
  const compactions = events.length === entries.length ? [] : outermost(entries);
  if (compactions.length === 0) return { shown: events, coveredCalls: NO_CALLS };
  const owners = ownersOf(events, compactions);
  const held = unfinishedCalls(
    events.map(({ event }) => event),
    (index) => owners[index] !== undefined,
  );
  const isCovered = (index: number): boolean => owners[index] !== undefined && !held.has(index);
  const [first] = entries;
  const before =
    isWhole || first === undefined ? [] : compactions.filter((compaction) => compaction.reachesBefore(first));
  return {
    shown: laidOut(events, owners, isCovered, before),
    coveredCalls: callsOf(events, isCovered),
  };
}

/** The compactions that no newer one contains, newest first. */
function outermost(entries: readonly LogEntry[]): CompactionEvent[] {
  const found: CompactionEvent[] = [];
  for (const entry of [...entries].reverse()) {
    const compaction = CompactionEvent.of(entry);
    if (compaction !== undefined && !found.some((newer) => newer.contains(compaction)))
      found.push(compaction);
  }
  return found;
}

/** Puts each summary that covers an event where the first event of its range is. */
function laidOut(
  events: readonly LogEntry[],
  owners: readonly (CompactionEvent | undefined)[],
  isCovered: (index: number) => boolean,
  before: readonly CompactionEvent[],
): LogEntry[] {
  const covering = new Set(owners.filter((_owner, index) => isCovered(index)));
  const shown = [...before].reverse().map(({ entry }) => entry);
  const added = new Set<CompactionEvent | undefined>(before);
  for (const [index, entry] of events.entries()) {
    const owner = owners[index];
    if (owner !== undefined && covering.has(owner) && !added.has(owner)) {
      added.add(owner);
      shown.push(owner.entry);
    }
    if (!isCovered(index)) shown.push(entry);
  }
  return shown;
}

function callsOf(events: readonly LogEntry[], isCovered: (index: number) => boolean): Set<CallId> {
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
 * For each event, the newest compaction whose range includes it.
 *
 * @param compactions newest first
 */
function ownersOf(
  events: readonly LogEntry[],
  compactions: readonly CompactionEvent[],
): (CompactionEvent | undefined)[] {
  const owners = new Array<CompactionEvent | undefined>(events.length).fill(undefined);
  for (const compaction of compactions) {
    const { seqs, entry } = compaction;
    const start = seqs === undefined ? 0 : indexOfSeq(events, seqs.start);
    const end = indexOfSeq(events, seqs === undefined ? entry.seq : Math.min(seqs.end + 1, entry.seq));
    for (const [offset, event] of events.slice(start, end).entries())
      if (seqs !== undefined || compaction.spans(event)) owners[start + offset] ??= compaction;
  }
  return owners;
}

/** The index of the first event with at least this sequence number. */
function indexOfSeq(events: readonly LogEntry[], seq: number): number {
  let low = 0;
  for (let high = events.length; low < high;) {
    const middle = (low + high) >> 1;
    if ((events[middle]?.seq ?? Infinity) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
