/** JSON text of a JSON value in which the order of keys is fixed: equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, field: unknown) =>
    typeof field === 'object' && field !== null && !Array.isArray(field) ? sorted(field) : field,
  );
}

/** Without a prototype, so that `__proto__` is a key like any other. */
function sorted(fields: object): Record<string, unknown> {
  const copy = Object.create(null) as Record<string, unknown>;
  for (const name of Object.keys(fields).sort()) copy[name] = (fields as Record<string, unknown>)[name];
  return copy;
}
