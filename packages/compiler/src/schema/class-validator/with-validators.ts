import type { JsonSchema } from '@adorn/core';

import type { ts } from '../../typescript.js';
import { type Kind, type Said, saidBy } from './keywords.js';
import { type Validator, validatorsOf } from './validators.js';

/**
 * The schema of a property with its validators, and whether they require the property; undefined if they do not
 * decide.
 */
export interface Validated {
  readonly schema: JsonSchema;
  readonly required?: boolean;
}

/**
 * Adds the class-validator decorators of a property to its schema, without running them. The schema may be looser
 * than the decorators, never stricter: conditional validators are checked at run time.
 */
export function withValidators(
  schema: JsonSchema,
  declaration: ts.Declaration,
  checker: ts.TypeChecker,
): Validated {
  const validators = validatorsOf(declaration, checker);
  const has = (name: string): boolean => validators.some((one) => one.name === name);
  if (has('ValidateIf')) return { schema, required: false };
  const described = validators.reduce((result, one) => withValidator(result, one, has('IsOptional')), schema);
  if (has('IsOptional')) return { schema: described, required: false };
  return { schema: described, ...(has('IsDefined') && { required: true }) };
}

function withValidator(schema: JsonSchema, { name, args, each }: Validator, isOptional: boolean): JsonSchema {
  const said = saidBy(name, args);
  if (!said) return schema;
  if (!each) return over(schema, said, isOptional);
  const { items, prefixItems } = schema as { items?: JsonSchema; prefixItems?: readonly JsonSchema[] };
  return {
    ...schema,
    ...(items !== undefined && { items: over(items, said, false) }),
    ...(prefixItems && { prefixItems: prefixItems.map((item) => over(item, said, false)) }),
  };
}

/** Adds keywords to the alternatives of a schema that have the validator's type. */
function over(schema: JsonSchema, said: Said, isOptional: boolean): JsonSchema {
  const { anyOf, type } = schema as { anyOf?: readonly JsonSchema[]; type?: string | readonly string[] };
  if (anyOf) return { ...schema, anyOf: anyOf.map((one) => over(one, said, isOptional)) };
  if (isAnything(schema)) return laid(saidToBe(schema, said.kind, isOptional), said, isOptional);
  const kinds = [type ?? (schema['$ref'] === undefined ? [] : 'object')].flat().map(kindOf);
  if (said.kind !== undefined && !kinds.includes(said.kind)) return schema;
  return laid(schema, said, isOptional);
}

const WORDS = ['description', 'title', 'examples', 'default', 'deprecated'];

function isAnything(schema: JsonSchema): boolean {
  return Object.keys(schema).every((key) => WORDS.includes(key));
}

/** Validators of a property of type `any` define its type; if the property is optional, they ignore null. */
function saidToBe(schema: JsonSchema, kind: Kind | undefined, isOptional: boolean): JsonSchema {
  if (kind === undefined) return schema;
  return { ...schema, type: isOptional ? [kind, 'null'] : kind };
}

function kindOf(type: string): string {
  return type === 'integer' ? 'number' : type;
}

function laid(schema: JsonSchema, { keywords }: Said, isOptional: boolean): JsonSchema {
  const { type, enum: values, uniqueItems, description, ...rest } = keywords;
  return {
    ...schema,
    ...rest,
    ...(type === 'integer' && { type: asIntegers(schema['type']) }),
    ...(Array.isArray(values) && enumFor(schema, values, isOptional)),
    ...(uniqueItems === true && hasPlainItems(schema) && { uniqueItems }),
    ...(description !== undefined && { description: schema['description'] ?? description }),
  };
}

/** A nullable number that must be an integer stays nullable. */
function asIntegers(types: unknown): unknown {
  return Array.isArray(types)
    ? types.map((name) => (name === 'number' ? 'integer' : String(name)))
    : 'integer';
}

/** The values that both the type and the decorator allow; no keyword where they cannot be compared. */
function enumFor(schema: JsonSchema, values: readonly unknown[], isOptional: boolean): JsonSchema {
  if (!values.every(isPlain) || 'const' in schema || '$ref' in schema) return {};
  const present = schema['enum'];
  const types = [schema['type'] ?? []].flat();
  const allowed = Array.isArray(present)
    ? (present as readonly unknown[]).filter((value) => value === null || values.includes(value))
    : values.filter((value) => isOfType(value, types));
  const isNullable = types.length === 0 ? isOptional : types.includes('null');
  const withNull = isNullable && !allowed.includes(null) ? [...allowed, null] : allowed;
  return allowed.length === 0 ? {} : { enum: withNull };
}

function isOfType(value: unknown, types: readonly unknown[]): boolean {
  const type = value === null ? 'null' : typeof value;
  return types.length === 0 || types.some((name) => kindOf(String(name)) === type);
}

/** Two equal objects are different ones to class-validator. */
function hasPlainItems(schema: JsonSchema): boolean {
  const { type } = (schema['items'] ?? {}) as JsonSchema;
  const types = [type ?? 'object'].flat();
  return !types.includes('object') && !types.includes('array');
}

function isPlain(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
