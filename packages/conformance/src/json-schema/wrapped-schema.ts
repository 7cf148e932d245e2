import type { JsonSchema } from 'adorn';

import { isObject } from '../bfcl/json-object.js';

/** Their values are data, not schemas. */
const DATA: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples']);

/**
 * The arguments of a tool whose only parameter is `value`, of the schema given: so any value can be judged by the
 * check of arguments. Pointers from the schema's root follow it to its new place, but where it has an `$id`.
 */
export function wrapSchema(schema: unknown, dialect: string): JsonSchema {
  const { own, $schema } = withoutDialect(schema);
  return {
    $schema: $schema ?? dialect,
    type: 'object',
    properties: { value: moved(own) },
    required: ['value'],
  };
}

function withoutDialect(schema: unknown): { own: unknown; $schema?: unknown } {
  if (!isObject(schema)) return { own: schema };
  const { $schema, ...own } = schema;
  return { own, $schema };
}

function moved(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(moved);
  if (!isObject(schema) || isResource(schema)) return schema;
  const members = Object.entries(schema).map(([key, value]) => [key, movedMember(key, value)] as const);
  return Object.fromEntries(members);
}

function movedMember(key: string, value: unknown): unknown {
  if (key === '$ref' && typeof value === 'string') return value.replace(/^#(?=\/|$)/, '#/properties/value');
  return DATA.has(key) ? value : moved(value);
}

/** References within it are resolved against its own address. */
function isResource({ $id }: JsonSchema): boolean {
  return typeof $id === 'string' && !$id.startsWith('#');
}
