import { frozenJson, scopeOf, type StoredScope, type StateDelta } from '@adorn/core/backend';

import { storedJson } from '../database/stored-json.js';
import { nameFrom, storedName } from '../database/stored-name.js';
import type { SharedAddresses } from './shared-state.js';

/** The writes to the state of one scope; undefined and null remove a key. */
type ScopeDelta = ReadonlyMap<string, unknown>;

/** A delta by whose state it changes; a scope that it leaves alone has no keys. */
export type ScopedDelta = Readonly<Record<StoredScope, ScopeDelta>>;

const NOTHING: ScopeDelta = new Map();

export function scopedDelta(delta: StateDelta): ScopedDelta {
  const parts: Record<StoredScope, ScopeDelta> = {
    app: NOTHING,
    user: NOTHING,
    session: NOTHING,
  };
  for (const key of Object.keys(delta)) {
    const scope = scopeOf(key);
    if (scope === 'temp') continue;
    const part = parts[scope] === NOTHING ? (parts[scope] = new Map()) : parts[scope];
    (part as Map<string, unknown>).set(key, delta[key]);
  }
  return parts;
}

/** Several deltas as one: later writes win. */
export function mergedDelta(deltas: readonly ScopedDelta[]): ScopedDelta {
  const [only] = deltas;
  if (only && deltas.length === 1) return only;
  const merge = (scope: StoredScope): ScopeDelta => new Map(deltas.flatMap((delta) => [...delta[scope]]));
  return { app: merge('app'), user: merge('user'), session: merge('session') };
}

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

/** A state as it is given out: deeply frozen, and without a prototype. Later entries win. */
export function stateFrom(entries: Iterable<StateEntry>): Readonly<Record<string, unknown>> {
  const state = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of entries) state[key] = frozenJson(value);
  return Object.freeze(state);
}

/** The effect of a delta on the tables of session, user and application state. */
export interface StateWrite {
  readonly own: StateRows;
  readonly user: SharedWrite;
  readonly app: SharedWrite;
}

export interface SharedWrite extends StateRows {
  readonly address: string;
}

export function stateWriteOf(addresses: SharedAddresses, delta: ScopedDelta): StateWrite {
  return {
    own: stateRows(delta.session),
    user: { address: addresses.user, ...stateRows(delta.user) },
    app: { address: addresses.app, ...stateRows(delta.app) },
  };
}

export function isEmpty({ set, gone }: StateRows): boolean {
  return set.length === 0 && gone.length === 0;
}
