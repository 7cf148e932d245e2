import type { JsonSchema } from '@adorn/core';

/** The subset of JSON Schema that the offline model supports. */
export interface SimpleSchema {
  readonly type: 'string' | 'number' | 'boolean' | 'array' | 'object';
  readonly whole: boolean;
  readonly description: string;
  readonly choices: readonly (string | number)[];
  readonly examples: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum: number;
  readonly maximum: number;
  readonly items?: SimpleSchema;
  readonly properties: readonly (readonly [name: string, schema: SimpleSchema])[];
  readonly required: readonly string[];
}

/** Deeper than any sentence reaches; it also ends a schema that refers to itself. */
const DEEPEST = 5;

/** Reads a schema, in JSON Schema's words or in Gemini's own (`STRING`), with its references resolved. */
export function simplify(schema: JsonSchema, root: JsonSchema = schema, depth = 0): SimpleSchema {
  const one = oneBranch(schema, root);
  const description = textOf(schema['description']) || textOf(one['description']);
  const type = typeOf(one);
  return {
    type: type === 'integer' ? 'number' : type,
    whole: type === 'integer',
    description,
    choices: choicesOf(one),
    examples: [...listOf(one['examples']).map(String), ...quotedIn(description)],
    ...(typeof one['format'] === 'string' && { format: one['format'] }),
    ...(typeof one['pattern'] === 'string' && { pattern: one['pattern'] }),
    minimum: numberOf(one['minimum'], -Infinity),
    maximum: numberOf(one['maximum'], Infinity),
    ...(isSchema(one['items']) && depth < DEEPEST && { items: simplify(one['items'], root, depth + 1) }),
    properties: depth < DEEPEST ? propertiesOf(one, root, depth) : [],
    required: listOf(one['required']).map(String),
  };
}

/** Follows a reference, and takes of a union all constants together or else the first branch that is not null. */
function oneBranch(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const reference = schema['$ref'];
  if (typeof reference === 'string') return resolve(reference, root);
  const union = listOf(schema['anyOf'] ?? schema['oneOf']).filter(isSchema);
  const branches = union.filter(({ type }) => type !== 'null');
  if (branches.length === 0) return schema;
  if (branches.every((branch) => choicesOf(branch).length > 0)) {
    return { enum: branches.flatMap((branch) => choicesOf(branch)) };
  }
  return oneBranch(branches[0] ?? {}, root);
}

function resolve(reference: string, root: JsonSchema): JsonSchema {
  let place: unknown = root;
  for (const step of reference.split('/').slice(1)) {
    place = isSchema(place) ? place[step.replace(/~1/g, '/').replace(/~0/g, '~')] : undefined;
  }
  return isSchema(place) ? place : {};
}

function typeOf(schema: JsonSchema): SimpleSchema['type'] | 'integer' {
  const stated = listOf(schema['type'])
    .concat(schema['type'])
    .find((type) => type !== 'null' && !Array.isArray(type));
  const type = typeof stated === 'string' ? stated.toLowerCase() : '';
  if (type === 'integer' || type === 'number' || type === 'boolean' || type === 'array' || type === 'object')
    return type;
  return schema['properties'] === undefined ? 'string' : 'object';
}

function choicesOf(schema: JsonSchema): (string | number)[] {
  const choices = 'const' in schema ? [schema['const']] : listOf(schema['enum']);
  return choices.filter((choice) => typeof choice === 'string' || typeof choice === 'number');
}

function propertiesOf(schema: JsonSchema, root: JsonSchema, depth: number): [string, SimpleSchema][] {
  if (!isSchema(schema['properties'])) return [];
  return Object.entries(schema['properties'])
    .filter((entry): entry is [string, JsonSchema] => isSchema(entry[1]))
    .map(([name, property]) => [name, simplify(property, root, depth + 1)]);
}

/** `Order number, such as "W2611340".` has one example. */
function quotedIn(description: string): string[] {
  return [...description.matchAll(/["'“`]([^"'”`]+)["'”`]/g)].map(([, example = '']) => example);
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}
