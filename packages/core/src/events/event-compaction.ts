import type { Content } from '../content/genai-types.js';

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
