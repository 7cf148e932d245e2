import type { JsonSchema } from '@adorn/core';

import { partsOf } from '../../extract/schema-parts.js';
import { referredTo } from './referred-to.js';

/** The schema and all its subschemas, each definition once. */
export function schemasWithin(schema: JsonSchema, root: JsonSchema): JsonSchema[] {
  const found = new Set<JsonSchema>();
  const visit = (one: JsonSchema): void => {
    if (found.has(one)) return;
    found.add(one);
    const target = referredTo(one, root);
    for (const part of [...(target === undefined ? [] : [target]), ...partsOf(one).all]) visit(part);
  };
  visit(schema);
  return [...found];
}
