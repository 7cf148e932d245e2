import type { ReadTime } from '@adorn/core/backend';

import { RequestInvalidError } from '../errors.js';

/**
 * When a message of a request is read, which a client may leave out.
 *
 * @throws {RequestInvalidError}
 */
export function readTimeOf(when: unknown): ReadTime | undefined {
  if (when === undefined || when === null) return undefined;
  if (when === 'now' || when === 'next' || when === 'instead') return when;
  const fault = `"when" is ${JSON.stringify(when)}`;
  throw new RequestInvalidError(fault, 'Send now, next or instead, or leave it out.', 'when');
}
