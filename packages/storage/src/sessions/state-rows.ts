import { storedJson } from '../database/stored-json.js';
import { nameFrom, storedName } from '../database/stored-name.js';
import type { ScopeDelta } from './scoped-delta.js';

/** A state key as stored in a table. */
export interface StateRow {
  readonly key: string;
  readonly value: string;
}

/** The effect of a delta on a table: rows to write, and keys of rows to remove. */
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

/** A key of a state and its value. */
export type StateEntry = readonly [key: string, value: unknown];

/**
 * @param owner the key of the row's session or scope
 * @throws {StorageRowDamagedError}
 */
export function entryOf(
  { key, value }: StateRow,
  table: 'adorn_session_state' | 'adorn_scope_state',
  owner: string,
): StateEntry {
  return [nameFrom(key), storedJson(value, table, () => `${owner}, key "${key}"`)];
}

/** A state as it is given out: frozen, and without a prototype. Later entries win. */
export function stateFrom(entries: Iterable<StateEntry>): Readonly<Record<string, unknown>> {
  const state = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of entries) state[key] = value;
  return Object.freeze(state);
}
