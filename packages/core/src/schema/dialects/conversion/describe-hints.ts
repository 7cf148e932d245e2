import type { JsonObject } from './json-object.js';
import { rulesOf } from './rules.js';

/** Keywords that descriptions can express, in their order. */
const TOLD = [
  'enum',
  'default',
  'pattern',
  'format',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'multipleOf',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'examples',
  'contentEncoding',
  'contentMediaType',
];

/** The keywords that a dialect adds to the description, because it supports only the keywords `said`. */
export function hintsOf(schema: JsonObject, said: ReadonlySet<string>): string[] {
  const rules = rulesOf(schema);
  return TOLD.filter((keyword) => rules.includes(keyword) && !said.has(keyword));
}

/** The description with the hints after it: `Order number. (pattern: ^W; default: "W1")`. */
export function describeHints(schema: JsonObject, hints: readonly string[]): string | undefined {
  const description = typeof schema['description'] === 'string' ? schema['description'] : '';
  if (hints.length === 0) return description === '' ? undefined : description;
  const words = hints.map((keyword) => `${keyword}: ${inWords(keyword, schema[keyword])}`);
  return `${description} (${words.join('; ')})`.trimStart();
}

function inWords(keyword: string, value: unknown): string {
  const isText = (keyword === 'pattern' || keyword === 'format') && typeof value === 'string';
  return isText ? value : JSON.stringify(value);
}
