import type { Runner, SessionKey } from '@adorn/core';
import { scopeOf } from '@adorn/core/backend';

import { RequestInvalidError } from '../errors.js';
import type { Caller } from './caller.js';

/** The most keys that a client may write at once. */
const MOST_KEYS = 1_000;

/**
 * The state that a client may write: keys of the session and, for a developer of the application, of the user, the
 * application and one run. Reserved keys belong to nobody.
 *
 * @throws {RequestInvalidError}
 */
export function clientState(
  state: Readonly<Record<string, unknown>>,
  { isDeveloper }: Pick<Caller, 'isDeveloper'>,
): Record<string, unknown> {
  const own = Object.create(null) as Record<string, unknown>;
  let count = 0;
  for (const key in state) {
    if (++count > MOST_KEYS) refuse(`it has more than ${String(MOST_KEYS)} keys`, 'Send fewer.');
    if (!isDeveloper && scopeOf(key) !== 'session')
      refuse(
        `the key ${JSON.stringify(key.slice(0, 80))} is not of the session`,
        'Write it from a tool or a callback, or as a developer.',
      );
    if (key === '__proto__' || key.startsWith('_adorn'))
      refuse(`the key ${JSON.stringify(key.slice(0, 80))} is reserved`, 'Use another name.');
    own[key] = state[key];
  }
  return own;
}

/**
 * Stores the keys of the user and of the application that a developer sends with a message, which itself writes keys of
 * the session and of its run only.
 *
 * @param state checked by `clientState`
 * @returns the other keys
 */
export async function storeSharedState(
  { sessions }: Runner<unknown>,
  key: SessionKey,
  state: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const isShared = ([name]: [string, unknown]): boolean => ['user', 'app'].includes(scopeOf(name));
  const entries = Object.entries(state);
  const shared = entries.filter(isShared);
  if (shared.length > 0) await sessions.updateSession(key, Object.fromEntries(shared));
  return Object.fromEntries(entries.filter((entry) => !isShared(entry)));
}

function refuse(fault: string, cure: string): never {
  throw new RequestInvalidError(`the state cannot be written: ${fault}`, cure, 'state');
}
