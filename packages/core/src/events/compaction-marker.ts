import type { Content, Part } from '../content/genai-types.js';
import type { Event } from './event.js';
import type { Place } from './standing-events.js';

/** An event that stands for earlier ones, read so that nothing of it is relied on: logs come from elsewhere too. */
export class CompactionMarker {
  private constructor(
    readonly place: Place,
    /** Undefined where only times say what is covered. */
    readonly seqs: SeqRange | undefined,
    private readonly times: SeqRange,
  ) {}

  /** Undefined for an event that is none, or whose summary says nothing: it covers nothing then. */
  static of(place: Place): CompactionMarker | undefined {
    const { compaction } = place.event.actions;
    if (compaction === undefined || summaryContent(compaction.compactedContent) === undefined)
      return undefined;
    const times = { start: compaction.startTimestamp, end: compaction.endTimestamp };
    return new CompactionMarker(place, readSeqs(place.event), times);
  }

  /** Whether an event stands within what is covered; what came after the marker never does. */
  spans({ seq, event }: Place): boolean {
    const { place, seqs, times } = this;
    if (seq >= place.seq) return false;
    return seqs === undefined ? isWithin(times, event.timestamp) : isWithin(seqs, seq);
  }

  /** Whether there is nothing in another's span that is not in this one's; false where it cannot be told. */
  contains({ seqs, times, place }: CompactionMarker): boolean {
    if (seqs !== undefined && this.seqs !== undefined)
      return isWithin(this.seqs, seqs.start) && isWithin(this.seqs, Math.min(seqs.end, place.seq));
    if (seqs !== undefined || this.seqs !== undefined) return false;
    return isWithin(this.times, times.start) && isWithin(this.times, times.end);
  }

  /** Whether it spans what stands before a place: what was not loaded. */
  reachesBefore({ seq, event }: Place): boolean {
    return this.seqs === undefined ? this.times.start < event.timestamp : this.seqs.start < seq;
  }
}

/** Whether an event is a marker, be it a readable one or not: no model is shown it as an event. */
export function isMarker({ actions }: Event): boolean {
  return actions.compaction !== undefined;
}

function readSeqs({ customMetadata }: Event): SeqRange | undefined {
  const { start, end } = (customMetadata?.[COVERED_SEQS] ?? {}) as Partial<Record<keyof SeqRange, unknown>>;
  return Number.isInteger(start) && Number.isInteger(end)
    ? { start: start as number, end: end as number }
    : undefined;
}

function isWithin({ start, end }: SeqRange, value: number): boolean {
  return start <= value && value <= end;
}

/**
 * Marks an event that stands for earlier ones in what a model sees; the log keeps them all. The fields are the ADK's.
 * Which events are covered is said by their places, under {@link COVERED_SEQS} of the event's custom metadata; by
 * these times only where there are none.
 */
export interface EventCompaction {
  /** Seconds since 1970, a float: the earliest time of the events that are covered. */
  readonly startTimestamp: number;
  /** The latest, which is covered too. */
  readonly endTimestamp: number;
  /** What a model sees in their place. */
  readonly compactedContent: Content;
}

/**
 * Where a marker's custom metadata says which places of the log it covers, both ends included: the ADK's own
 * readers refuse a field beside its three.
 */
export const COVERED_SEQS = 'adorn:coveredSeqs';

/** Places of a log, both ends included. */
export interface SeqRange {
  readonly start: number;
  readonly end: number;
}

/** What a summary begins with, so that no model takes it for the user's words. */
export const SUMMARY_HEADING = '[Summary of earlier conversation]';

/**
 * A summary as a model may see it: something a user tells, under its heading. Calls and responses, which no longer
 * have each other, are left out. Undefined where it says nothing.
 */
export function summaryContent({ parts = [] }: Content): Content | undefined {
  const told = parts.filter(isTold);
  if (told.length === 0) return undefined;
  const isHeaded = told[0]?.text?.startsWith(SUMMARY_HEADING) === true;
  return { role: 'user', parts: isHeaded ? told : [{ text: SUMMARY_HEADING }, ...told] };
}

function isTold({ text, thought, functionCall, functionResponse }: Part): boolean {
  if (thought === true || functionCall || functionResponse) return false;
  return text?.trim() !== '';
}
