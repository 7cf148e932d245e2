import { isObject } from '../document/json-object.js';
import type { BuiltSchema } from './plain-keywords.js';

const IN_PLACE: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else']);

/**
 * Removes references that lead back to their own schema without a step into the value, such as two schemas that are all of
 * each other: a validator would follow them for ever. Changes the schemas in place.
 */
export function breakCycles(definitions: ReadonlyMap<string, BuiltSchema>): void {
  const done = new Set<string>();
  for (const name of definitions.keys()) visit(name, definitions, new Set(), done);
}

function visit(
  name: string,
  definitions: ReadonlyMap<string, BuiltSchema>,
  path: Set<string>,
  done: Set<string>,
): void {
  if (done.has(name)) return;
  path.add(name);
  for (const referring of referencesInPlace(definitions.get(name))) {
    const target = String(referring['$ref']).slice('#/$defs/'.length);
    if (path.has(target)) delete referring['$ref'];
    else visit(target, definitions, path, done);
  }
  path.delete(name);
  done.add(name);
}

/** The schemas with a reference that are about the same value. */
function* referencesInPlace(schema: unknown): Generator<BuiltSchema> {
  if (!isObject(schema)) return;
  if (schema['$ref'] !== undefined) yield schema;
  for (const [keyword, value] of Object.entries(schema)) {
    if (!IN_PLACE.has(keyword)) continue;
    for (const part of [value].flat()) yield* referencesInPlace(part);
  }
}
