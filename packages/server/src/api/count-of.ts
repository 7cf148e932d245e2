import type { Context } from 'hono';

import { RequestInvalidError } from '../errors.js';

/**
 * A number of the query, such as `limit`; undefined if it is absent.
 *
 * @throws {RequestInvalidError}
 */
export function countOf({ req }: Context, name: string): number | undefined {
  const text = req.query(name);
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new RequestInvalidError(`"${name}" is no number`, 'Pass a number of at least 0.', name);
}
