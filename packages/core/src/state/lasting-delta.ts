import { toJsonValue } from '../json/json-value.js';
import { refuseTooLong } from '../names/check-name.js';
import { isTemporary, type StateDelta } from './state-delta.js';

/**
 * The delta as it is stored: without its `temp:` keys, and each value as JSON holds it. The same object where it is
 * that already.
 *
 * @throws {ValueNotJsonError} at a value that JSON cannot hold
 * @throws {NameTooLongError} at a key that stores do not take
 */
export function lastingDelta(delta: StateDelta): StateDelta {
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
