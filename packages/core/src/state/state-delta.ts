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
