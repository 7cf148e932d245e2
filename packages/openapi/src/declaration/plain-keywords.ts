import { isBinary } from '../document/composed-schema.js';
import type { JsonObject } from '../document/json-object.js';

/** A JSON Schema that is built here. */
export interface BuiltSchema {
  [keyword: string]: unknown;
}

const TYPES: ReadonlySet<unknown> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'array',
  'object',
  'null',
]);

const COUNTS = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minContains',
  'maxContains',
] as const;

const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const;

/** A longer pattern is not compiled. */
const LONGEST_PATTERN = 2_000;

/**
 * The keywords of a schema that hold no other schemas, as JSON Schema 2020-12 takes them. What is not well formed is left
 * out, so that one bad keyword does not cost the tool. `default` goes into the description: filled in here, it would be
 * sent, and overwrite fields in a PATCH.
 */
export function plainKeywords(schema: JsonObject): BuiltSchema {
  return {
    ...typeKeyword(schema),
    ...bounds(schema),
    ...texts(schema),
    ...literals(schema),
    ...(schema['uniqueItems'] === true && { uniqueItems: true }),
  };
}

function typeKeyword({ type, nullable }: JsonObject): BuiltSchema {
  // `file` is Swagger's, and survives in converted documents.
  const named = [type].flat().map((one) => (one === 'file' ? 'string' : one));
  const known = [...new Set(named.filter((one) => TYPES.has(one)))];
  if (known.length === 0) return {};
  const types = nullable === true && !known.includes('null') ? [...known, 'null'] : known;
  return { type: types.length === 1 ? types[0] : types };
}

/** In OpenAPI 3.0 an exclusive bound is a boolean keyword next to the bound. */
function bounds(schema: JsonObject): BuiltSchema {
  const built: BuiltSchema = {};
  for (const name of COUNTS) {
    const count = schema[name];
    if (Number.isSafeInteger(count) && (count as number) >= 0) built[name] = count;
  }
  for (const name of NUMBERS) if (isNumber(schema[name])) built[name] = schema[name];
  const { multipleOf } = schema;
  if (isNumber(multipleOf) && multipleOf > 0) built['multipleOf'] = multipleOf;
  if (schema['exclusiveMinimum'] === true) renameBound(built, 'minimum', 'exclusiveMinimum');
  if (schema['exclusiveMaximum'] === true) renameBound(built, 'maximum', 'exclusiveMaximum');
  return built;
}

function renameBound(built: BuiltSchema, from: string, to: string): void {
  if (built[from] === undefined) return;
  built[to] = built[from];
  // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- an object that is being built here
  delete built[from];
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function texts(schema: JsonObject): BuiltSchema {
  const { format, pattern } = schema;
  if (isBinary(schema)) return { contentEncoding: 'base64' };
  return {
    ...(typeof format === 'string' && { format }),
    ...(isPattern(pattern) && { pattern }),
  };
}

/** Ajv compiles patterns with the flag `u`, which refuses some that other languages take. */
function isPattern(pattern: unknown): pattern is string {
  if (typeof pattern !== 'string' || pattern.length > LONGEST_PATTERN) return false;
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

function literals(schema: JsonObject): BuiltSchema {
  const { enum: choices, nullable } = schema;
  if (Object.hasOwn(schema, 'const')) return { const: schema['const'] };
  if (!Array.isArray(choices) || choices.length === 0) return {};
  const listed = [...new Set(choices as unknown[])];
  return { enum: nullable === true && !listed.includes(null) ? [...listed, null] : listed };
}
