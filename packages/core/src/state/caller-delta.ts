import { AdornError } from '../errors/adorn.error.js';
import { scopeOf, type StateDelta } from './state-delta.js';

/** Keys that begin so are the framework's. */
const RESERVED = '_adorn';

/**
 * A copy of the state delta that came with a message. It may write session keys and `temp:` keys: a message comes from
 * one user, and `app:` keys are read by all users, `user:` keys by all sessions.
 *
 * @throws {StateDeltaRefusedError}
 */
export function callerDelta(delta: unknown): StateDelta {
  if (typeof delta !== 'object' || delta === null || Array.isArray(delta)) {
    throw new StateDeltaRefusedError(`it is ${kindOf(delta)} and must be an object of keys and values`);
  }
  const checked = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of Object.entries(delta)) {
    const scope = scopeOf(key);
    if (scope === 'app' || scope === 'user') throw StateDeltaRefusedError.ofScope(key, scope);
    if (key === '__proto__' || key.startsWith(RESERVED)) {
      throw new StateDeltaRefusedError(`the key "${shortened(key)}" is reserved`);
    }
    checked[key] = value;
  }
  return checked;
}

/** A message came with a state delta that its caller may not write. */
export class StateDeltaRefusedError extends AdornError {
  readonly code = 'STATE_DELTA_REFUSED';

  constructor(why: string) {
    super(`The stateDelta of run was refused: ${why}. Nothing was stored.`);
  }

  static ofScope(key: string, scope: 'app' | 'user'): StateDeltaRefusedError {
    const readers = scope === 'app' ? 'all users' : 'all sessions of the user';
    return new this(
      `"${shortened(key)}" is shared by ${readers}, and a message may write session keys and temp: keys alone; ` +
        'write it from a tool or a callback, or by runner.sessions.updateSession',
    );
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

function shortened(key: string): string {
  return key.length > 80 ? `${key.slice(0, 80)}…` : key;
}
