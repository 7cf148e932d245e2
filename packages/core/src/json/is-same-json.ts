/** Whether two JSON values say the same, whatever order their keys are in and whichever realm they were made in. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every(
    (name) => Object.hasOwn(other, name) && isSameJson(fieldOf(one, name), fieldOf(other, name)),
  );
}

function fieldOf(value: object, name: string): unknown {
  return (value as Record<string, unknown>)[name];
}

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
