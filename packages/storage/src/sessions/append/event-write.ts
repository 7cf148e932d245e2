import { isEmpty, type StateWrite } from '../state-write.js';

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

export const INSERT_EVENT =
  'insert into adorn_events (session_no, seq, id, invocation_id, timestamp, body) values (?, ?, ?, ?, ?, ?)';

/** That no later process has claimed an invocation than that of the epoch; takes both. */
export const IS_CURRENT = 'not exists (select 1 from json_each(epochs) where key = ? and value > ?)';

export interface PlacedRow {
  readonly seq: number;
  readonly state_version: number;
}

/**
 * Takes the next place in a session's log, if the session is as the writer expects it: for SQLite. The text is one of
 * four, so that each is prepared once.
 */
export function placeStatement({ sessionNo, timestamp, own, expectedSeq, epoch, epochOf }: EventWrite): {
  readonly text: string;
  readonly parameters: unknown[];
} {
  const parameters: unknown[] = [isEmpty(own) ? 0 : 1, timestamp, sessionNo];
  let text = UPDATE;
  if (expectedSeq !== undefined) {
    text += ' and next_seq = ?';
    parameters.push(expectedSeq);
  }
  if (epoch !== undefined) {
    text += ` and ${IS_CURRENT}`;
    parameters.push(epochOf, epoch);
  }
  return { text: `${text} returning next_seq - 1 as seq, state_version`, parameters };
}

const UPDATE =
  'update adorn_sessions set next_seq = next_seq + 1, state_version = state_version + ?, updated_at = ? where no = ?';
