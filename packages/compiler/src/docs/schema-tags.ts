/** An invalid tag. */
export interface TagFault {
  readonly tag: string;
  readonly written: string;
  readonly wanted: string;
}

/**
 * The values of the tags of a comment, by tag name. Texts of `default`, `const` and `examples` are parsed later, when
 * the type of the schema is known.
 */
export interface SchemaTags extends Readonly<Record<string, unknown>> {
  readonly asType?: string;
  readonly examples?: readonly string[];
  readonly items?: SchemaTags;
  readonly faults?: readonly TagFault[];
}

/** Tags of declarations that are hidden from the model. */
const IGNORED = ['ignore', 'hidden', 'hide', 'internal', 'TJS-ignore'];

const ALIASES: Readonly<Record<string, string>> = {
  example: 'examples',
  defaultValue: 'default',
  'TJS-type': 'asType',
};

export function isIgnored(tags: SchemaTags): boolean {
  return IGNORED.some((name) => tags[name] === true);
}

/** True for a flag that applies to the whole declaration wherever it is in the comment. */
export function isMark(name: string): boolean {
  return name === 'deprecated' || IGNORED.includes(name);
}

export function isSchemaTag(name: string): boolean {
  const [first = '', part] = plainName(name).split('.');
  return Object.hasOwn(TAG_KINDS, part ?? first) && (part === undefined || first === 'items');
}

export function takesTheLine(name: string): boolean {
  return TAG_KINDS[lastName(name)]?.isLine ?? false;
}

/**
 * The description after a tag that JSDoc or prose uses under the same name, without the type in braces; undefined if
 * the text is a value of the schema.
 */
export function wordsOfForeign(name: string, text: string): string | undefined {
  const isForeign = TAG_KINDS[plainName(name)]?.isForeign?.(text.trim()) === true;
  return isForeign ? text.replace(/^\s*\{[^]*\}/, '') : undefined;
}

/** True if the tag without a value means `true`. */
export function isFlag(name: string): boolean {
  return ['uniqueItems', 'nullable'].includes(lastName(name));
}

/** Adds one tag. A tag without a value, such as `@uniqueItems`, means `true`. */
export function withTag(tags: SchemaTags, tag: string, value: string, printed = tag): SchemaTags {
  const name = plainName(tag);
  if (name.startsWith('items.')) {
    return { ...tags, items: withTag(tags.items ?? {}, name.slice('items.'.length), value, printed) };
  }
  const written = value.trim();
  if (name === 'examples')
    return written === '' ? tags : { ...tags, examples: [...(tags.examples ?? []), written] };
  const read = TAG_KINDS[name]?.read(written);
  if (read !== undefined) return { ...tags, [name]: read };
  const fault = { tag: printed, written, wanted: TAG_KINDS[name]?.wanted ?? 'a value' };
  return { ...tags, faults: [...(tags.faults ?? []), fault] };
}

/** typescript-json-schema also accepts its tags as `@TJS-minimum`, and `type` only in this form. */
function plainName(tag: string): string {
  return ALIASES[tag] ?? ALIASES[tag.replace(/^TJS-/, '')] ?? tag.replace(/^TJS-/, '');
}

function lastName(tag: string): string {
  return plainName(tag).replace(/^items\./, '');
}

/** The reader of a schema tag's text. */
interface TagKind {
  /** The JSON type that the tag applies to; absent for any. */
  readonly of?: 'string' | 'number' | 'array' | 'object';
  /** The value; undefined if the text is invalid. */
  readonly read: (text: string) => unknown;
  /** The expected text, for the error message. */
  readonly wanted: string;
  /** True if the value is the rest of the line, not only its first word. */
  readonly isLine?: true;
  /** True if the text is JSDoc or prose, and not a schema value. */
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

/** The tags that become keywords of a schema, by name. */
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

/** The text parsed as JSON; undefined if it is not JSON. It is never used as a path. */
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

/** A pattern may be written as `/^a/` too. JSON Schema has no flags. */
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
