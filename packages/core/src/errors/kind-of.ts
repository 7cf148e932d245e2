/** The kind of a value, in words for an error. Reads nothing of the value. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'absent';
  if (typeof value === 'string') return 'a text';
  if (typeof value !== 'object') return `a ${typeof value}`;
  return isList(value) ? 'a list' : 'an object';
}

/** `Array.isArray` throws at a Proxy that was revoked. */
function isList(value: object): boolean {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}
