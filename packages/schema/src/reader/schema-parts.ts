import type { JsonType } from '../derived/derived-class.js';

/** A JSON Schema document (draft 2020-12), or a part of one. */
export interface JsonSchema {
  /** The value of a keyword, unchecked. */
  readonly [keyword: string]: unknown;
}

/** The JSON type of a value of JSON. */
export function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : (typeof value as JsonType);
}

/** True if a value has a type that a schema states. */
export function isOfType(value: unknown, type: string): boolean {
  return type === 'integer' ? Number.isInteger(value) : type === typeOf(value);
}

/** True for an object of JSON, as every schema but `true` and `false` is. */
export function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is a schema that is an object: `true` and `false` have no parts. */
export function asSchema(value: unknown): JsonSchema | undefined {
  return isObject(value) ? value : undefined;
}

/** The schemas in a list; empty for any other value. */
export function schemasIn(value: unknown): readonly JsonSchema[] {
  return Array.isArray(value) ? (value as unknown[]).filter(isObject) : [];
}

/** The schemas in an object, by name. */
function namedSchemasIn(value: unknown): ReadonlyMap<string, JsonSchema> {
  if (!isObject(value)) return new Map();
  return new Map(Object.entries(value).filter((entry): entry is [string, JsonSchema] => isObject(entry[1])));
}

/** The types that a schema states under `type`; empty if it states none. */
export function statedTypes({ type }: JsonSchema): readonly string[] {
  return type === undefined ? [] : ([type].flat() as string[]);
}

/** The allowed values of a schema; undefined if it lists none. */
export function literalsOf(schema: JsonSchema): readonly unknown[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [schema['const']];
  return Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : undefined;
}

/** The alternatives of `anyOf` and `oneOf`; empty if there are none. */
export function branchesOf(schema: JsonSchema): readonly JsonSchema[] {
  return [...schemasIn(schema['anyOf']), ...schemasIn(schema['oneOf'])];
}

/** The schemas of named properties. */
export function propertiesOf({ properties }: JsonSchema): ReadonlyMap<string, JsonSchema> {
  return namedSchemasIn(properties);
}

/** The schemas of properties by a pattern of their name. */
export function patternsOf({ patternProperties }: JsonSchema): ReadonlyMap<string, JsonSchema> {
  return namedSchemasIn(patternProperties);
}

/** The names of required properties. */
export function requiredOf({ required }: JsonSchema): readonly string[] {
  return Array.isArray(required) ? (required as string[]) : [];
}

/** The schemas of a list's elements. */
export interface ElementSchemas {
  /** Of the first elements, one each, as in a tuple. */
  readonly first: readonly unknown[];
  /** Of all others. */
  readonly rest: unknown;
}

/** The schemas of elements, as any draft writes them: `items` is a list in drafts before 2020-12. */
export function elementsOf({ items, prefixItems, additionalItems }: JsonSchema): ElementSchemas {
  if (Array.isArray(items)) return { first: items as unknown[], rest: additionalItems };
  return { first: Array.isArray(prefixItems) ? (prefixItems as unknown[]) : [], rest: items };
}

/** The schema of the element at an index; empty if none is stated. */
export function elementSchema(schema: JsonSchema, index: number): JsonSchema {
  const { first, rest } = elementsOf(schema);
  return asSchema(index < first.length ? first[index] : rest) ?? {};
}

/** Keywords whose value is a schema, or a list of schemas. */
const SCHEMAS: ReadonlySet<string> = new Set([
  'items',
  'prefixItems',
  'additionalItems',
  'additionalProperties',
  'anyOf',
  'allOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'contentSchema',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
]);

/** Keywords whose value has schemas by name. */
const NAMED_SCHEMAS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
]);

/** The schemas directly inside a schema, under any keyword. Definitions count where something refers to them. */
export function subschemasOf(schema: JsonSchema): readonly JsonSchema[] {
  const found: JsonSchema[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (NAMED_SCHEMAS.has(keyword)) found.push(...namedSchemasIn(value).values());
    else if (SCHEMAS.has(keyword)) found.push(...(isObject(value) ? [value] : schemasIn(value)));
  }
  return found;
}

/** The definitions directly inside a schema, by name. */
export function definitionsOf({ $defs, definitions }: JsonSchema): ReadonlyMap<string, JsonSchema> {
  return new Map([...namedSchemasIn(definitions), ...namedSchemasIn($defs)]);
}

/** A schema and all schemas inside it. Definitions are left out and references not followed. */
export function* schemasWithin(schema: JsonSchema): Generator<JsonSchema> {
  yield schema;
  for (const part of subschemasOf(schema)) yield* schemasWithin(part);
}
