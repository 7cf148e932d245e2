import { type JsonSchema } from '@adorn/core';
import { compileArgumentCheck, describeThrown, isObject, SchemaDocument } from '@adorn/core/backend';

import { cleanJson } from './clean-text.js';

/** The largest schema of one tool, in characters of JSON. */
const LONGEST_SCHEMA = 262_144;
/** How deeply a schema may be nested. */
const DEEPEST_SCHEMA = 64;

/** A schema that takes any arguments, for a tool whose own cannot be used. */
const ANY_ARGUMENTS: JsonSchema = Object.freeze({ type: 'object' });

/** The schema of a server's tool, or one that takes any object and why. */
export interface UsableSchema {
  readonly schema: JsonSchema;
  /** Why the server's own schema is not used. */
  readonly fault?: string;
}

/**
 * The schema of a tool if arguments can be checked against it within limits. Its patterns are matched with a time limit,
 * as all patterns are.
 */
export async function usableSchema(given: unknown): Promise<UsableSchema> {
  const fault = faultOf(given);
  if (fault !== undefined) return { schema: ANY_ARGUMENTS, fault };
  const schema = cleanJson(given as JsonSchema);
  try {
    await compileArgumentCheck(schema);
    return { schema };
  } catch (error) {
    return { schema: ANY_ARGUMENTS, fault: `it cannot be compiled: ${describeThrown(error).message}` };
  }
}

function faultOf(schema: unknown): string | undefined {
  if (!isObject(schema)) return 'it is no object';
  if (exceedsDepth(schema, DEEPEST_SCHEMA))
    return `it is nested deeper than ${String(DEEPEST_SCHEMA)} levels`;
  const length = JSON.stringify(schema).length;
  if (length > LONGEST_SCHEMA)
    return `it has ${String(length)} characters, more than ${String(LONGEST_SCHEMA)}`;
  const { type } = schema;
  if (type !== undefined && type !== 'object') return 'its type is not "object"';
  const reference = foreignReference(schema);
  return reference === undefined ? undefined : `it refers to ${JSON.stringify(reference.slice(0, 100))}`;
}

/** True for JSON that has more levels than `depth`. Stops there, so that no nesting ends the stack. */
export function exceedsDepth(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((field) => exceedsDepth(field, depth - 1));
}

/** A `$ref` that leads out of the schema: nothing is loaded for it. */
function foreignReference(schema: JsonSchema): string | undefined {
  for (const { $ref } of new SchemaDocument(schema).reachable(schema))
    if (typeof $ref === 'string' && /^[a-z][a-z0-9+.-]*:/i.test($ref)) return $ref;
  return undefined;
}
