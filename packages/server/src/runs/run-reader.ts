import type { Event } from '@adorn/core';

import type { RunEnding } from '../frames/to-wire.js';

/** What a reader of a run gets: its events, and at last its ending. */
export type RunItem =
  { readonly kind: 'event'; readonly event: Event } | { readonly kind: 'end'; readonly ending: RunEnding };

/** Reads a run, item by item. */
export interface RunReader {
  /** The next item; undefined after the ending, and after `leave`. */
  next(): Promise<RunItem | undefined>;
  /** Stops reading, also while `next` waits. */
  leave(): void;
}
