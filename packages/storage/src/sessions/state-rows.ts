import { nameFrom, storedName } from '../database/stored-name.js';
import type { ScopeDelta } from './scoped-delta.js';

/** A key of a state as it stands in a table. */
export interface StateRow {
  readonly key: string;
  readonly value: string;
}

/** What a delta comes to in a table: rows to write, and keys of rows to remove. */
export interface StateRows {
  readonly set: readonly StateRow[];
  readonly gone: readonly string[];
}

export function stateRows(delta: ScopeDelta): StateRows {
  const set: StateRow[] = [];
  const gone: string[] = [];
  for (const [key, value] of delta) {
    if (value === null || value === undefined) gone.push(storedName(key));
    else set.push({ key: storedName(key), value: JSON.stringify(value) });
  }
  return { set, gone };
}

export function entryOf({ key, value }: StateRow): readonly [string, unknown] {
  return [nameFrom(key), JSON.parse(value)];
}
