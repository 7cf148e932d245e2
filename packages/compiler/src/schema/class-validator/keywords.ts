import type { JsonSchema } from '@adorn/core';

/** The type that a decorator checks. At run time it refuses values of other types. */
export type Kind = 'string' | 'number' | 'boolean' | 'array' | 'object';

/** The schema keywords of a class-validator decorator. */
export interface Said {
  /** Absent if it checks values of any type. */
  readonly kind?: Kind;
  readonly keywords: JsonSchema;
}

type Reader = (...args: readonly unknown[]) => JsonSchema;

const nothing: Reader = () => ({});
const always =
  (keywords: JsonSchema): Reader =>
  () =>
    keywords;
const pattern = (source: string): Reader => always({ pattern: source });
const words = (description: string): Reader => always({ description });
const first =
  (keyword: string): Reader =>
  (value) =>
    value === undefined ? {} : { [keyword]: value };

/** Without options only: most of them allow more. */
const plain =
  (keywords: JsonSchema): Reader =>
  (options) =>
    options === undefined ? keywords : {};

const STRINGS: Readonly<Record<string, Reader>> = {
  IsString: nothing,
  MinLength: first('minLength'),
  MaxLength: first('maxLength'),
  Length: (min, max) => ({
    ...(typeof min === 'number' && { minLength: min }),
    ...(typeof max === 'number' && { maxLength: max }),
  }),
  Matches: (expression, modifiers) => (modifiers === undefined ? matching(expression) : {}),
  Contains: (part) => (typeof part === 'string' ? { pattern: escaped(part) } : {}),
  IsEmail: plain({ format: 'email' }),
  IsUUID: always({ format: 'uuid' }),
  IsRFC3339: always({ format: 'date-time' }),
  IsIP: (version) => (String(version) === '4' ? { format: 'ipv4' } : { description: 'An IP address.' }),
  IsUrl: words('A URL.'),
  IsDateString: isoDate,
  IsISO8601: isoDate,
  IsAlpha: plain({ pattern: '^[A-Za-z]+$' }),
  IsAlphanumeric: plain({ pattern: '^[0-9A-Za-z]+$' }),
  IsAscii: pattern('^[\\x00-\\x7F]+$'),
  IsLowercase: pattern('^[^A-Z]*$'),
  IsUppercase: pattern('^[^a-z]*$'),
  IsHexadecimal: pattern('^(0[xXhH])?[0-9A-Fa-f]+$'),
  IsHexColor: pattern('^#?[0-9A-Fa-f]{3,8}$'),
  IsMongoId: pattern('^[0-9A-Fa-f]{24}$'),
  IsMilitaryTime: pattern('^([01][0-9]|2[0-3]):?[0-5][0-9]$'),
  IsNumberString: plain({ pattern: '^[-+]?([0-9]*\\.)?[0-9]+$' }),
  IsBooleanString: always({ enum: ['true', 'false', '1', '0'] }),
  IsPort: pattern('^[0-9]{1,5}$'),
  IsISO31661Alpha2: pattern('^[A-Za-z]{2}$'),
  IsISO31661Alpha3: pattern('^[A-Za-z]{3}$'),
  IsISO4217CurrencyCode: pattern('^[A-Za-z]{3}$'),
  IsPhoneNumber: words('A phone number.'),
  IsMobilePhone: words('A mobile phone number.'),
  IsFQDN: words('A domain name.'),
  IsTimeZone: words('A time zone by its IANA name.'),
  IsJSON: words('JSON text.'),
  IsBase64: words('Base64.'),
  IsCreditCard: words('A credit card number.'),
  IsIBAN: words('An IBAN.'),
  IsSemVer: words('A semantic version.'),
  IsMimeType: words('A MIME type.'),
  IsLocale: words('A locale, such as en-GB.'),
};

const NUMBERS: Readonly<Record<string, Reader>> = {
  IsNumber: nothing,
  IsInt: always({ type: 'integer' }),
  Min: first('minimum'),
  Max: first('maximum'),
  IsPositive: always({ exclusiveMinimum: 0 }),
  IsNegative: always({ exclusiveMaximum: 0 }),
  IsDivisibleBy: (divisor) =>
    Number.isInteger(divisor) && Number(divisor) > 0 ? { multipleOf: divisor } : {},
};

const ARRAYS: Readonly<Record<string, Reader>> = {
  IsArray: nothing,
  ArrayNotEmpty: always({ minItems: 1 }),
  ArrayMinSize: first('minItems'),
  ArrayMaxSize: first('maxItems'),
  ArrayUnique: always({ uniqueItems: true }),
};

/** For values of several types; each keyword applies to one of them. */
const ANY: Readonly<Record<string, Reader>> = {
  IsNotEmpty: always({ minLength: 1 }),
  IsIn: (values) => (Array.isArray(values) ? { enum: values as unknown[] } : {}),
  IsEnum: (values) => (typeof values === 'object' && values !== null ? { enum: enumValues(values) } : {}),
  Equals: (value) => (value === undefined ? {} : { enum: [value] }),
  IsLatitude: always({ minimum: -90, maximum: 90 }),
  IsLongitude: always({ minimum: -180, maximum: 180 }),
};

/** The decorators of class-validator that have a keyword of JSON Schema. The others are checked at run time only. */
const READERS: readonly (readonly [kind: Kind | undefined, readers: Readonly<Record<string, Reader>>])[] = [
  ['string', STRINGS],
  ['number', NUMBERS],
  ['array', ARRAYS],
  ['boolean', { IsBoolean: nothing }],
  ['object', { IsObject: nothing, IsNotEmptyObject: always({ minProperties: 1 }) }],
  [undefined, ANY],
];

/** The keywords of a decorator by its name and the arguments known from the source; undefined if it has none. */
export function saidBy(name: string, args: readonly unknown[]): Said | undefined {
  for (const [kind, readers] of READERS) {
    const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
    if (read) return { ...(kind && { kind }), keywords: read(...args) };
  }
  return undefined;
}

/** A pattern with a flag that makes it match more, or that matches only without `u`, is checked at run time only. */
function matching(expression: unknown): JsonSchema {
  if (!(expression instanceof RegExp) || !/^[dgu]*$/.test(expression.flags)) return {};
  try {
    return { pattern: new RegExp(expression.source, 'u').source };
  } catch {
    return {};
  }
}

function isoDate(): JsonSchema {
  return { description: 'A date, or a date and time, by ISO 8601.', pattern: '^[-+]?[0-9]{4}' };
}

/** For a numeric enum, class-validator also accepts the names of its members. */
function enumValues(members: object): unknown[] {
  const entries = Object.entries(members as Readonly<Record<string, unknown>>);
  const names = entries.filter(([, value]) => typeof value === 'number').map(([name]) => name);
  return [...entries.map(([, value]) => value), ...names];
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
