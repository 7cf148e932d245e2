import type { JsonObject } from './json-object.js';

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
export function rulesOf(schema: JsonObject): string[] {
  return Object.entries(schema)
    .filter(([keyword]) => CONSTRAINTS.has(keyword) || ADVICE.has(keyword))
    .filter(([keyword, value]) => saysSomething(keyword, value))
    .map(([keyword]) => keyword);
}

function saysSomething(keyword: string, value: unknown): boolean {
  if (value === undefined || (Object.hasOwn(EMPTY, keyword) && EMPTY[keyword] === value)) return false;
  return !(keyword === 'required' && Array.isArray(value) && value.length === 0);
}
