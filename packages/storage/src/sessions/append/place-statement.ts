import { isEmpty } from '../state-write.js';
import type { EventWrite } from './event-write.js';

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
