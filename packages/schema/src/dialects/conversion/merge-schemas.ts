import { isObject, type JsonSchema } from '../../reader/schema-parts.js';
import { isConstraint } from './keywords.js';

type Merge = (first: unknown, second: unknown) => unknown;

/** Told which constraints of one side are not in the merged schema. */
export type ReportDropped = (keyword: string, value: unknown) => void;

const MERGES: Readonly<Record<string, Merge>> = {
  properties: mergeProperties,
  required: (first, second) => [...new Set([...listOf(first), ...listOf(second)])],
  enum: (first, second) => intersect(listOf(first), listOf(second)),
  type: (first, second) => mergeTypes(listOf(first), listOf(second)),
  allOf: (first, second) => [...listOf(first), ...listOf(second)],
  minimum: larger,
  exclusiveMinimum: larger,
  minLength: larger,
  minItems: larger,
  minProperties: larger,
  maximum: smaller,
  exclusiveMaximum: smaller,
  maxLength: smaller,
  maxItems: smaller,
  maxProperties: smaller,
};

/** Where both cannot be kept, one stands for both. */
const CHOICES: Readonly<Record<string, (first: unknown, second: unknown) => boolean>> = {
  additionalProperties: (first) => first === false,
  anyOf: () => true,
  oneOf: () => true,
};

/** A schema for what fits both. In words and defaults the second wins; of two unions the first is kept. */
export function mergeSchemas(first: JsonSchema, second: JsonSchema, dropped?: ReportDropped): JsonSchema {
  const merged: Record<string, unknown> = { ...first };
  for (const [key, value] of Object.entries(second)) {
    if (!(key in first)) merged[key] = value;
    else merged[key] = MERGES[key]?.(first[key], value) ?? choose(key, first[key], value, dropped);
  }
  return merged;
}

function choose(key: string, first: unknown, second: unknown, dropped?: ReportDropped): unknown {
  const [kept, other] = CHOICES[key]?.(first, second) === true ? [first, second] : [second, first];
  if (dropped && isConstraint(key) && kept !== false && !isSame(kept, other)) dropped(key, other);
  return kept;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function mergeProperties(first: unknown, second: unknown): JsonSchema {
  const merged: Record<string, unknown> = { ...(isObject(first) ? first : {}) };
  for (const [name, schema] of Object.entries(isObject(second) ? second : {})) {
    merged[name] = name in merged ? { allOf: [merged[name], schema] } : schema;
  }
  return merged;
}

/** Every integer is a number; types that exclude each other leave the second standing. */
function mergeTypes(first: readonly unknown[], second: readonly unknown[]): unknown {
  const both = first.filter(
    (type) => second.includes(type) || (type === 'integer' && second.includes('number')),
  );
  const types = second.includes('integer') && first.includes('number') ? [...both, 'integer'] : both;
  const kept = types.length > 0 ? [...new Set(types)] : second;
  return kept.length === 1 ? kept[0] : kept;
}

function intersect(first: readonly unknown[], second: readonly unknown[]): unknown[] {
  const texts = new Set(second.map((value) => JSON.stringify(value)));
  return first.filter((value) => texts.has(JSON.stringify(value)));
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [value];
}

function larger(first: unknown, second: unknown): number {
  return Math.max(Number(first), Number(second));
}

function smaller(first: unknown, second: unknown): number {
  return Math.min(Number(first), Number(second));
}
