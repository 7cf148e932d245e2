import type { StateWrite } from '../state-write.js';

/** An event on its way into the log, with all that is written together with it; its names as they are stored. */
export interface EventWrite extends StateWrite {
  readonly sessionNo: number;
  readonly id: string;
  readonly invocationId: string;
  readonly timestamp: number;
  readonly body: string;
  /** The ids of the requests that the event asks. */
  readonly opens: readonly string[];
  /** The ids of the requests that it answers. */
  readonly consumes: readonly string[];
  readonly expectedSeq: number | undefined;
  readonly epoch: number | undefined;
  /** The invocation that the epoch is of. */
  readonly epochOf: string;
}

/** The position of the event, and the new versions of the states. Unchanged versions may be absent. */
export interface PlacedEvent {
  readonly seq: number;
  readonly ownVersion: number;
  readonly userVersion: number | undefined;
  readonly appVersion: number | undefined;
}
