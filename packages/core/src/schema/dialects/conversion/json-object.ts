/** A schema, or any other object of JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects in an array; empty for any other value. */
export function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? (value as unknown[]).filter(isObject) : [];
}

/** The single type of a schema, inferred from other keywords if not stated. */
export function typeOfSchema(schema: JsonObject): string | undefined {
  const { type } = schema;
  const types: unknown[] = Array.isArray(type) ? type : [type];
  if (types.length > 1) return undefined;
  if (typeof types[0] === 'string') return types[0];
  if ('properties' in schema) return 'object';
  return 'items' in schema || 'prefixItems' in schema ? 'array' : undefined;
}
