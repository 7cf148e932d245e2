import type { JsonObject } from './json-object.js';

/** The one type of a schema, read from its other keywords where it is not said. */
export function typeOfSchema(schema: JsonObject): string | undefined {
  const { type } = schema;
  const types: unknown[] = Array.isArray(type) ? type : [type];
  if (types.length > 1) return undefined;
  if (typeof types[0] === 'string') return types[0];
  if ('properties' in schema) return 'object';
  return 'items' in schema || 'prefixItems' in schema ? 'array' : undefined;
}
