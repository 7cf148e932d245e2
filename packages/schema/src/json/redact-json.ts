/**
 * A JSON value with redacted texts; the same object if nothing changed. Keys stay as they are.
 *
 * @param redact returns a text without what must not be shown
 */
export function redactJson<Value>(value: Value, redact: (text: string) => string): Value {
  if (typeof value === 'string') return redact(value) as Value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return mapped(value as unknown[], (element) => redactJson(element, redact)) as Value;
  const fields = Object.entries(value) as [string, unknown][];
  const safe = mapped(fields, (field) => redactField(field, redact));
  return safe === fields ? value : (Object.fromEntries(safe) as Value);
}

function redactField(field: [string, unknown], redact: (text: string) => string): [string, unknown] {
  const value = redactJson(field[1], redact);
  return value === field[1] ? field : [field[0], value];
}

/** The same array if no element changed. */
function mapped<Element>(elements: Element[], change: (element: Element) => Element): Element[] {
  let copy: Element[] | undefined;
  for (const [index, element] of elements.entries()) {
    const safe = change(element);
    if (safe !== element) (copy ??= [...elements])[index] = safe;
  }
  return copy ?? elements;
}
