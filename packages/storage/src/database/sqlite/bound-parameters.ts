/**
 * Parameters as every SQLite driver takes them. libsql ends the process at a bound boolean or a lone object, so
 * nothing of the kind reaches it.
 *
 * @throws {TypeError} at a value that is neither a text, a number, bytes nor null
 */
export function boundParameters(parameters: readonly unknown[]): unknown[] {
  return parameters.map(bound);
}

function bound(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  const isPlain = value === null || ['string', 'number', 'bigint'].includes(typeof value);
  if (isPlain || value instanceof Uint8Array) return value;
  throw new TypeError(`A ${typeof value} cannot be bound to a statement of SQLite.`);
}
