import type { JsonSchema } from '@adorn/core';

import { partsOf } from '../../extract/schema-parts.js';
import { referredTo } from './referred-to.js';

/** The nesting depth of objects; recursive schemas count once. */
export function depthOf(schema: JsonSchema, root: JsonSchema, within: readonly JsonSchema[] = []): number {
  const target = referredTo(schema, root);
  if (target !== undefined) return within.includes(target) ? 0 : depthOf(target, root, [...within, target]);
  const parts = partsOf(schema).all.map((part) => depthOf(part, root, within));
  return (schema['type'] === 'object' ? 1 : 0) + Math.max(0, ...parts);
}
