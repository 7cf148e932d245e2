import type { JsonObject } from './json-object.js';
import { typeOf } from './plain-keywords.js';

const ARRAY = ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems'];
const OBJECT = [
  'properties',
  'required',
  'additionalProperties',
  'propertyOrdering',
  'minProperties',
  'maxProperties',
];
const NUMBER = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const STRING = ['pattern', 'minLength', 'maxLength', 'contentEncoding', 'contentMediaType'];

/** The keywords that say something about values of a type. */
const ABOUT: Readonly<Record<string, readonly string[]>> = {
  array: ARRAY,
  object: OBJECT,
  number: [...NUMBER, 'format'],
  integer: [...NUMBER, 'format'],
  string: [...STRING, 'format'],
};

const WORDS: ReadonlySet<string> = new Set(['title', 'description', 'default', 'examples']);

const ABOUT_ANY: ReadonlySet<string> = new Set([...ARRAY, ...OBJECT, ...NUMBER, ...STRING, 'format']);

/** A schema of several types as alternatives of one each, its words beside them. */
export function typeAlternatives(schema: JsonObject, types: readonly string[]): JsonObject {
  const words = Object.entries(schema).filter(([key]) => WORDS.has(key));
  const rules = Object.fromEntries(Object.entries(schema).filter(([key]) => !WORDS.has(key)));
  return { ...Object.fromEntries(words), anyOf: types.map((type) => ofOneType(rules, type)) };
}

function ofOneType(schema: JsonObject, type: string): JsonObject {
  if (type === 'null') return { type };
  const about = ABOUT[type] ?? [];
  const kept = Object.entries(schema).filter(([key]) => !ABOUT_ANY.has(key) || about.includes(key));
  const own: Record<string, unknown> = { ...Object.fromEntries(kept), type };
  if (Array.isArray(own['enum'])) own['enum'] = own['enum'].filter((value) => isOfType(value, type));
  return own;
}

function isOfType(value: unknown, type: string): boolean {
  return typeOf(value) === type || (type === 'number' && typeof value === 'number');
}
