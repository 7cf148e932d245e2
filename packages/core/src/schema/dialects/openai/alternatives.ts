import { type JsonObject, objectsIn } from '../conversion/json-object.js';

/** The union of converted schemas; with null, of two, it is one schema of two types. */
export function oneOfThese(alternatives: readonly JsonObject[], description?: string): JsonObject {
  const values = alternatives.filter((one) => one['type'] !== 'null');
  const [only] = values;
  const union =
    only !== undefined && values.length === 1 && canBeTold(only, description)
      ? values.length === alternatives.length
        ? only
        : orNull(only)
      : { anyOf: alternatives };
  return description === undefined ? union : { ...union, description };
}

/** Nothing may stand beside a reference, and of two descriptions one would be lost. */
function canBeTold(schema: JsonObject, description: string | undefined): boolean {
  return description === undefined || !('$ref' in schema || 'description' in schema);
}

/** The schema of a value that may be null as well. */
export function orNull(schema: JsonObject): JsonObject {
  if (permitsNull(schema)) return schema;
  const { type, enum: values, anyOf, ...rest } = schema;
  if (anyOf !== undefined) return { ...rest, anyOf: [...objectsIn(anyOf), { type: 'null' }] };
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return {
    type: [type, 'null'],
    ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }),
    ...rest,
  };
}

function permitsNull({ type, anyOf }: JsonObject): boolean {
  return [type].flat().includes('null') || objectsIn(anyOf).some(permitsNull);
}
