import { AdornError } from '../errors/adorn.error.js';
import { scopeOf, type StateDelta } from './state-delta.js';

/** Prefix of keys reserved for the framework. */
const RESERVED = '_adorn';

/**
 * Copies and checks the `stateDelta` of a message. It may only write session keys and `temp:` keys: all users read
 * `app:` keys, and all sessions of the user read `user:` keys.
 *
 * @throws {StateDeltaRefusedError}
 */
export function callerDelta(delta: unknown): StateDelta {
  if (typeof delta !== 'object' || delta === null || Array.isArray(delta)) {
    throw new StateDeltaRefusedError(`it must be an object, but is ${kindOf(delta)}`);
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

/** The `stateDelta` of a run contains keys that a message may not write. */
export class StateDeltaRefusedError extends AdornError {
  readonly code = 'STATE_DELTA_REFUSED';

  constructor(why: string) {
    super(`The stateDelta of run was refused: ${why}. Nothing was stored.`);
  }

  static ofScope(key: string, scope: 'app' | 'user'): StateDeltaRefusedError {
    const readers = scope === 'app' ? 'all users' : 'all sessions of the user';
    return new this(
      `"${shortened(key)}" is shared by ${readers}, but a message may only write session keys and temp: keys; ` +
        'write it from a tool or a callback, or with runner.sessions.updateSession',
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
