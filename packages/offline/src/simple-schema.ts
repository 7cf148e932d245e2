import type { JsonSchema } from '@adorn/core';
import {
  asSchema,
  branchesOf,
  elementsOf,
  literalsOf,
  propertiesOf,
  requiredOf,
  SchemaDocument,
  statedTypes,
} from '@adorn/core/backend';

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
export function simplify(schema: JsonSchema, document = new SchemaDocument(schema), depth = 0): SimpleSchema {
  const one = oneBranch(schema, document);
  const description = textOf(schema['description']) || textOf(one['description']);
  const type = typeOf(one);
  const items = asSchema(elementsOf(one).rest);
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
    ...(items !== undefined && depth < DEEPEST && { items: simplify(items, document, depth + 1) }),
    properties: depth < DEEPEST ? simpleProperties(one, document, depth) : [],
    required: requiredOf(one),
  };
}

/** Follows references, and takes of a union all constants together or else the first branch that is not null. */
function oneBranch(schema: JsonSchema, document: SchemaDocument, depth = 0): JsonSchema {
  const one = document.resolve(schema);
  const alternatives = branchesOf(one).map((branch) => document.resolve(branch));
  const branches = alternatives.filter(({ type }) => type !== 'null');
  const [first] = branches;
  if (!first || depth > DEEPEST) return one;
  if (branches.every((branch) => choicesOf(branch).length > 0)) return { enum: branches.flatMap(choicesOf) };
  return oneBranch(first, document, depth + 1);
}

function typeOf(schema: JsonSchema): SimpleSchema['type'] | 'integer' {
  const type = statedTypes(schema)
    .find((stated) => stated !== 'null')
    ?.toLowerCase();
  if (type === 'integer' || type === 'number' || type === 'boolean' || type === 'array' || type === 'object')
    return type;
  return schema['properties'] === undefined ? 'string' : 'object';
}

function choicesOf(schema: JsonSchema): (string | number)[] {
  const choices = literalsOf(schema) ?? [];
  return choices.filter((choice) => typeof choice === 'string' || typeof choice === 'number');
}

function simpleProperties(
  schema: JsonSchema,
  document: SchemaDocument,
  depth: number,
): [string, SimpleSchema][] {
  return [...propertiesOf(schema)].map(([name, property]) => [name, simplify(property, document, depth + 1)]);
}

/** `Order number, such as "W2611340".` has one example. */
function quotedIn(description: string): string[] {
  return [...description.matchAll(/["'“`]([^"'”`]+)["'”`]/g)].map(([, example = '']) => example);
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
