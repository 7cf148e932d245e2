import { toJsonValue } from '../json/json-value.js';
import { refuseTooLong } from '../names/check-name.js';

/** Writes to the state by key; `null` removes the key. */
export type StateDelta = Readonly<Record<string, unknown>>;

/** Lays one write over a state, in place. */
export function applyKey(state: Record<string, unknown>, key: string, value: unknown): void {
  if (value === null || value === undefined) Reflect.deleteProperty(state, key);
  else state[key] = value;
}

/** Whose a key of the state is: its prefix says so. */
export type StateScope = 'app' | 'user' | 'session' | 'temp';

const APP = 'app:';
const USER = 'user:';
const TEMPORARY = 'temp:';

/** `app:` is shared by all users, `user:` by a user's sessions, `temp:` lives for one invocation; all else is the session's. */
export function scopeOf(key: string): StateScope {
  if (key.startsWith(TEMPORARY)) return 'temp';
  if (key.startsWith(USER)) return 'user';
  if (key.startsWith(APP)) return 'app';
  return 'session';
}

export function isTemporary(key: string): boolean {
  return key.startsWith(TEMPORARY);
}

/**
 * The delta as it is stored: without its `temp:` keys, and each value as JSON holds it. The same object where it is
 * that already.
 *
 * @throws {ValueNotJsonError} at a value that JSON cannot hold
 * @throws {NameTooLongError} at a key that stores do not take
 */
export function persistedDelta(delta: StateDelta): StateDelta {
  let lasting: Record<string, unknown> | undefined;
  for (const key in delta) {
    const value = delta[key];
    const isGone = isTemporary(key);
    if (!isGone) refuseTooLong('key of the state', key);
    const converted = isGone ? undefined : toJsonValue(value);
    if (!isGone && (converted === value || value === undefined)) continue;
    lasting ??= copyOf(delta);
    if (isGone) Reflect.deleteProperty(lasting, key);
    else lasting[key] = converted;
  }
  return lasting ?? delta;
}

/** Without a prototype, so that no key of it is a key of all objects. */
function copyOf(delta: StateDelta): Record<string, unknown> {
  return Object.assign(Object.create(null) as Record<string, unknown>, delta);
}
