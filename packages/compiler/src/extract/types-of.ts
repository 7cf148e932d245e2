import type { JsonSchema } from '@adorn/core';
import type { JsonType } from '@adorn/core/compiler';

const EVERY: readonly JsonType[] = ['array', 'boolean', 'null', 'number', 'object', 'string'];

/** The kinds of JSON that a schema of the compiler's takes. */
export function typesOf(schema: JsonSchema, definition: (name: string) => JsonSchema): readonly JsonType[] {
  const { type, $ref, anyOf } = schema;
  if (typeof $ref === 'string') return typesOf(definition($ref.slice('#/$defs/'.length)), definition);
  if (Array.isArray(anyOf)) return [...new Set(anyOf.flatMap((one: JsonSchema) => typesOf(one, definition)))];
  if (type === undefined) return EVERY;
  const named = [type].flat() as string[];
  return [...new Set(named.map((name) => (name === 'integer' ? 'number' : name) as JsonType))];
}
