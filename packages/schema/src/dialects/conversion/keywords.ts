import type { JsonSchema } from '../../reader/schema-parts.js';

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

/** What becomes of something that a dialect has no keyword for. Arguments are checked against it in any case. */
export type LossOutcome =
  /** The model is told of it in the description. */
  | 'described'
  /** The model does not learn of it. */
  | 'unsaid'
  /** Because of it there is no schema in this dialect at all. */
  | 'undeclarable';

/** A constraint of a schema that a dialect cannot express. */
export interface Loss {
  /** The value it is said of, seen from the arguments: `order.items[].price`; empty for the arguments as a whole. */
  readonly path: string;
  readonly keyword: string;
  /** What the schema has under the keyword; absent where the keyword itself is missed. */
  readonly value?: unknown;
  readonly outcome: LossOutcome;
}

export type ReportLoss = (loss: Loss) => void;

/** The position of a schema during the conversion of its document. */
export interface Position {
  /** The references that are being put in place around it. */
  readonly within: readonly string[];
  /** The value it is about: `order.items[].price`; empty for the whole. */
  readonly path: string;
}

export const TOP: Position = { within: [], path: '' };

/** The position inside a reference that is put in place. */
export function inside({ within, path }: Position, ...references: readonly string[]): Position {
  return { within: [...within, ...references], path };
}

export function atProperty({ within, path }: Position, name: string): Position {
  return { within, path: path === '' ? name : `${path}.${name}` };
}

export function atElement({ within, path }: Position, index?: number): Position {
  return { within, path: `${path}[${index === undefined ? '' : String(index)}]` };
}

/** The position of the values that have no names of their own. */
export function atAnyProperty(position: Position): Position {
  return atProperty(position, '*');
}
