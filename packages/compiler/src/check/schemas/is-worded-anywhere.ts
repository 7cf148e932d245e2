import type { JsonSchema } from '@adorn/core';

import { referredTo } from './referred-to.js';

/** True if a value is described: itself, its type, its elements or an alternative. */
export function isWordedAnywhere(schema: JsonSchema, root: JsonSchema): boolean {
  if (typeof schema['description'] === 'string' && schema['description'].trim() !== '') return true;
  const { items, anyOf, oneOf } = schema;
  return [referredTo(schema, root), items, anyOf, oneOf]
    .flat()
    .some((part) => isSchema(part) && isWordedAnywhere(part, root));
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null;
}
