import type { Content, Part } from '../content/genai-types.js';

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
