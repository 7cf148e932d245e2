import type { Content, Part } from '../content/genai-types.js';
import type { Event } from '../events/event.js';
import type { LogEntry } from './effective-events.js';

/** A compaction event, whose summary replaces earlier events. Reads logs of other ADKs too, so it trusts no field. */
export class CompactionEvent {
  private constructor(
    readonly entry: LogEntry,
    /** The covered sequence numbers; undefined if the event only gives times. */
    readonly seqs: SeqRange | undefined,
    private readonly times: SeqRange,
  ) {}

  /** Undefined for any other event, and if the summary is empty: it covers nothing then. */
  static of(entry: LogEntry): CompactionEvent | undefined {
    const { compaction } = entry.event.actions;
    if (compaction === undefined || summaryContent(compaction.compactedContent) === undefined)
      return undefined;
    const times = { start: compaction.startTimestamp, end: compaction.endTimestamp };
    return new CompactionEvent(entry, readSeqs(entry.event), times);
  }

  /** True if an event is within the covered range. Events after the compaction event never are. */
  spans({ seq, event }: LogEntry): boolean {
    const { entry, seqs, times } = this;
    if (seq >= entry.seq) return false;
    return seqs === undefined ? isWithin(times, event.timestamp) : isWithin(seqs, seq);
  }

  /** True if this range contains the other's; false if unknown. */
  contains({ seqs, times, entry }: CompactionEvent): boolean {
    if (seqs !== undefined && this.seqs !== undefined)
      return isWithin(this.seqs, seqs.start) && isWithin(this.seqs, Math.min(seqs.end, entry.seq));
    if (seqs !== undefined || this.seqs !== undefined) return false;
    return isWithin(this.times, times.start) && isWithin(this.times, times.end);
  }

  /** True if the range includes events before the given one, which were not loaded. */
  reachesBefore({ seq, event }: LogEntry): boolean {
    return this.seqs === undefined ? this.times.start < event.timestamp : this.seqs.start < seq;
  }
}

/** True for every event with a compaction, readable or not. Models never see it as an event. */
export function isCompaction({ actions }: Event): boolean {
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
 * Key of a compaction event's custom metadata: the range of sequence numbers that it covers. Not a field of
 * `EventCompaction`, because the ADK's readers refuse a fourth field there.
 */
export const COVERED_SEQS = 'adorn:coveredSeqs';

/** Sequence numbers of a log, both ends included. */
export interface SeqRange {
  readonly start: number;
  readonly end: number;
}

/** The heading of a summary, so that no model takes it for the user's words. */
export const SUMMARY_HEADING = '[Summary of earlier conversation]';

/**
 * A summary as a model sees it: a content of the role `user` under a heading. Calls and responses are left out, because
 * a model takes neither without the other. Undefined if nothing remains.
 */
export function summaryContent({ parts = [] }: Content): Content | undefined {
  const shown = parts.filter(isShown);
  if (shown.length === 0) return undefined;
  const isHeaded = shown[0]?.text?.startsWith(SUMMARY_HEADING) === true;
  return { role: 'user', parts: isHeaded ? shown : [{ text: SUMMARY_HEADING }, ...shown] };
}

function isShown({ text, thought, functionCall, functionResponse }: Part): boolean {
  if (thought === true || functionCall || functionResponse) return false;
  return text?.trim() !== '';
}
