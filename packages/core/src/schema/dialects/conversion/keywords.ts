import type { JsonSchema } from '../../json-schema.js';

/** The keywords that exclude values; all others are words for the reader, or about the document itself. */
const CONSTRAINTS: ReadonlySet<string> = new Set([
  'additionalItems',
  'additionalProperties',
  'allOf',
  'anyOf',
  'const',
  'contains',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
  'dependencies',
  'dependentRequired',
  'dependentSchemas',
  'else',
  'enum',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'if',
  'items',
  'maxContains',
  'maximum',
  'maxItems',
  'maxLength',
  'maxProperties',
  'minContains',
  'minimum',
  'minItems',
  'minLength',
  'minProperties',
  'multipleOf',
  'not',
  'oneOf',
  'pattern',
  'patternProperties',
  'prefixItems',
  'properties',
  'propertyNames',
  'required',
  'then',
  'type',
  'unevaluatedItems',
  'unevaluatedProperties',
  'uniqueItems',
]);

/** These exclude nothing, and yet a model should know of them. */
const ADVICE: ReadonlySet<string> = new Set(['default', 'examples']);

/** With these values a keyword excludes nothing. */
const EMPTY: Readonly<Record<string, unknown>> = {
  additionalItems: true,
  additionalProperties: true,
  items: true,
  unevaluatedItems: true,
  unevaluatedProperties: true,
  uniqueItems: false,
};

/** True if values can fail a keyword. */
export function isConstraint(keyword: string): boolean {
  return CONSTRAINTS.has(keyword);
}

/** The keywords that constrain values. */
export function rulesOf(schema: JsonSchema): string[] {
  return Object.entries(schema)
    .filter(([keyword]) => CONSTRAINTS.has(keyword) || ADVICE.has(keyword))
    .filter(([keyword, value]) => saysSomething(keyword, value))
    .map(([keyword]) => keyword);
}

function saysSomething(keyword: string, value: unknown): boolean {
  if (value === undefined || (Object.hasOwn(EMPTY, keyword) && EMPTY[keyword] === value)) return false;
  return !(keyword === 'required' && Array.isArray(value) && value.length === 0);
}

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
export function hintsOf(schema: JsonSchema, said: ReadonlySet<string>): string[] {
  const rules = rulesOf(schema);
  return TOLD.filter((keyword) => rules.includes(keyword) && !said.has(keyword));
}

/** The description with the hints after it: `Order number. (pattern: ^W; default: "W1")`. */
export function describeHints(schema: JsonSchema, hints: readonly string[]): string | undefined {
  const description = typeof schema['description'] === 'string' ? schema['description'] : '';
  if (hints.length === 0) return description === '' ? undefined : description;
  const words = hints.map((keyword) => `${keyword}: ${inWords(keyword, schema[keyword])}`);
  return `${description} (${words.join('; ')})`.trimStart();
}

function inWords(keyword: string, value: unknown): string {
  const isText = (keyword === 'pattern' || keyword === 'format') && typeof value === 'string';
  return isText ? value : JSON.stringify(value);
}
