/** The kinds of JSON, as schemas call them. */
export type TypeName = 'array' | 'boolean' | 'integer' | 'null' | 'number' | 'object' | 'string';

/** Whether a value is of one of the types that a schema names; every value is where it names none. */
export function isOfType(value: unknown, types: readonly string[]): boolean {
  return types.length === 0 || types.some((type) => isOf(value, type));
}

function isOf(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return type === typeOf(value);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeOf(value) === 'object';
}
