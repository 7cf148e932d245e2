/** A schema, or any other object of JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members of a list that are objects; none where it is no list. */
export function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? (value as unknown[]).filter(isObject) : [];
}

/** The one type of a schema, read from its other keywords where it is not said. */
export function typeOfSchema(schema: JsonObject): string | undefined {
  const { type } = schema;
  const types: unknown[] = Array.isArray(type) ? type : [type];
  if (types.length > 1) return undefined;
  if (typeof types[0] === 'string') return types[0];
  if ('properties' in schema) return 'object';
  return 'items' in schema || 'prefixItems' in schema ? 'array' : undefined;
}
