import { scopeOf } from '@adorn/core/backend';

import { RequestInvalidError } from '../errors.js';

/** The largest state that a client may write, in keys and in levels. */
const MOST_KEYS = 1_000;

/**
 * The state that a client may write: keys of the session, not of the user, the application or a run, and no reserved
 * ones.
 *
 * @throws {RequestInvalidError}
 */
export function clientState(state: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(state);
  if (entries.length > MOST_KEYS) refuse(`it has more than ${String(MOST_KEYS)} keys`, 'Send fewer.');
  for (const [key] of entries) {
    if (scopeOf(key) !== 'session')
      refuse(
        `the key ${JSON.stringify(key.slice(0, 80))} is not of the session`,
        'Write it from a tool or a callback.',
      );
    if (key === '__proto__' || key.startsWith('_adorn'))
      refuse(`the key ${JSON.stringify(key.slice(0, 80))} is reserved`, 'Use another name.');
  }
  return Object.assign(Object.create(null) as Record<string, unknown>, state);
}

function refuse(fault: string, cure: string): never {
  throw new RequestInvalidError(`the state cannot be written: ${fault}`, cure, 'state');
}
