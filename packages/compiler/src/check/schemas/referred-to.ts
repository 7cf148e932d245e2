import type { JsonSchema } from '@adorn/core';

/** The definition that a schema of our own making refers to; undefined where it is no reference. */
export function referredTo({ $ref }: JsonSchema, root: JsonSchema): JsonSchema | undefined {
  if (typeof $ref !== 'string') return undefined;
  const definitions = (root['$defs'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  return definitions[$ref.slice('#/$defs/'.length)];
}
