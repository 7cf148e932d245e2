/**
 * The text of a JSON value in the canonical form of RFC 8785 (JCS): fields sorted by the UTF-16 units of their names, numbers as
 * ECMAScript writes them, no white space. Any program that knows the RFC computes the same digests from it. Half of a
 * surrogate pair, which the RFC does not allow, is written as its escape.
 */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalText(field)}`).join(',')}}`;
}
