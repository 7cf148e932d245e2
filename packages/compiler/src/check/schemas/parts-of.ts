import type { JsonSchema } from '@adorn/core';

/** The schemas that stand directly in a schema: of properties, elements and alternatives. */
export function partsOf(schema: JsonSchema): JsonSchema[] {
  const { properties, patternProperties, items, prefixItems, additionalProperties, anyOf, oneOf, allOf } =
    schema;
  return [
    ...[properties, patternProperties].flatMap((named): unknown[] => Object.values(named ?? {})),
    ...[items, prefixItems, additionalProperties, anyOf, oneOf, allOf].flat(),
  ].filter(isSchema);
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null;
}
