/** What a schema tag's text is read as. */
export interface TagKind {
  /** The type of JSON that the tag speaks of; absent where it speaks of any. */
  readonly of?: 'string' | 'number' | 'array' | 'object';
  /** Its value; undefined where the text is none. */
  readonly read: (text: string) => unknown;
  /** What is asked of the text, for whoever wrote another. */
  readonly wanted: string;
  /** Whether the value is all that follows on the line, and not its first word alone. */
  readonly isLine?: true;
  /** Whether the text is JSDoc's, or prose, and not meant for a schema. */
  readonly isForeign?: (text: string) => boolean;
}

const text: TagKind = { read: (value) => value || undefined, wanted: 'a text' };
const line: TagKind = { ...text, isLine: true };
const flag: TagKind = {
  read: (value) => (value === '' ? true : { true: true, false: false }[value]),
  wanted: 'true, false or nothing',
};

function number(of: 'number', isFine: (value: number) => boolean = () => true): TagKind {
  return { of, read: (value) => numberIn(value, isFine), wanted: 'a number' };
}

function count(of: 'string' | 'array' | 'object'): TagKind {
  const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0;
  return { of, read: (value) => numberIn(value, isCount), wanted: 'a whole number from 0' };
}

/** The tags that say something about a value's schema, by name. */
export const TAG_KINDS: Readonly<Record<string, TagKind>> = {
  minimum: number('number'),
  maximum: number('number'),
  exclusiveMinimum: number('number'),
  exclusiveMaximum: number('number'),
  multipleOf: { ...number('number', (value) => value > 0), wanted: 'a number above 0' },
  minLength: count('string'),
  maxLength: count('string'),
  minItems: count('array'),
  maxItems: count('array'),
  minProperties: count('object'),
  maxProperties: count('object'),
  uniqueItems: { ...flag, of: 'array' },
  additionalProperties: { of: 'object', read: schemaIn, wanted: 'true, false or a schema' },
  items: { of: 'array', read: objectIn, wanted: 'a schema in JSON', isLine: true, isForeign: isProse },
  pattern: { of: 'string', read: patternIn, wanted: 'a regular expression without flags', isLine: true },
  format: text,
  title: line,
  type: text,
  asType: { read: (value) => TYPES.find((type) => type === withoutBraces(value)), wanted: 'a type of JSON' },
  enum: { read: listIn, wanted: 'a list in JSON', isLine: true, isForeign: isTypeOrNothing },
  const: { ...line, isForeign: isTypeOrNothing },
  default: { ...line, isForeign: isTypeOrNothing },
  examples: line,
  nullable: flag,
};

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];

/** What the text says in JSON; undefined where it is none. It is never a path to load something from. */
function json(value: string): unknown {
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return undefined;
  }
}

/** As in JSDoc's `@enum {string}` and `@const`. */
function isTypeOrNothing(text: string): boolean {
  return text === '' || (/^\{[^]*\}/.test(text) && json(text) === undefined);
}

/** Neither JSON, nor begun as JSON, nor the name of a type alone. */
function isProse(text: string): boolean {
  return !/^[[{]/.test(text) && json(text) === undefined && !TYPES.includes(text) && text !== '';
}

function numberIn(value: string, isFine: (value: number) => boolean): number | undefined {
  const found = value === '' ? NaN : Number(value);
  return Number.isFinite(found) && isFine(found) ? found : undefined;
}

function objectIn(value: string): unknown {
  const found = json(value);
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? found : undefined;
}

function schemaIn(value: string): unknown {
  const found = json(value);
  return typeof found === 'boolean' ? found : objectIn(value);
}

function listIn(value: string): unknown {
  const found = json(value);
  return Array.isArray(found) && found.length > 0 ? found : undefined;
}

/** A pattern may be written as `/^a/`, too. No schema can say a flag that changes what it matches. */
function patternIn(value: string): string | undefined {
  const [, source = value, flags = ''] = /^\/(.*)\/([dgimsuvy]*)$/s.exec(value) ?? [];
  if (/[^dgu]/.test(flags)) return undefined;
  try {
    new RegExp(source, 'u');
    return source || undefined;
  } catch {
    return undefined;
  }
}

function withoutBraces(value: string): string {
  return value.replace(/^\{(.*)\}$/, '$1');
}
