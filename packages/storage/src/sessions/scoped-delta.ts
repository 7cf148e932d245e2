import type { StateDelta } from '@adorn/core';
import { scopeOf, type StoredScope } from '@adorn/core/backend';

/** The writes to the state of one scope; undefined and null remove a key. */
export type ScopeDelta = ReadonlyMap<string, unknown>;

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
