/** A copy of a JSON value that nothing can change any more. */
export function frozenJson<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozenJson)) as Value;
  const copy: Record<string, unknown> = {};
  for (const name in value) {
    const field: unknown = value[name];
    if (name !== '__proto__') copy[name] = typeof field === 'object' ? frozenJson(field) : field;
  }
  return Object.freeze(copy) as Value;
}

/** A copy of a JSON value, so that a method may change what it is given without changing the log. */
export function copyJson<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((element: unknown) => copyJson(element)) as Value;
  const copy: Record<string, unknown> = {};
  for (const name in value) {
    const field: unknown = value[name];
    if (name !== '__proto__') copy[name] = typeof field === 'object' ? copyJson(field) : field;
  }
  return copy as Value;
}
