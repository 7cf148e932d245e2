import type { JsonSchema } from '@adorn/core';

import { deriveSource } from '../../fixtures/temporary-project.js';

const TEXT: JsonSchema = { type: 'string' };
const MAIL: JsonSchema = { type: 'string', description: 'An address.' };

type Properties = Readonly<Record<string, JsonSchema>>;

/** A type, its properties as they are sent, and the names of those that have to be. */
const SENT: readonly (readonly [what: string, type: string, properties: Properties, required: string[]])[] = [
  [
    'what is optional',
    '{ a?: string; b: string | undefined; c: string }',
    { a: TEXT, b: TEXT, c: TEXT },
    ['c'],
  ],
  ['not what is ignored', '{ a: string; /** @ignore */ b: string }', { a: TEXT }, ['a']],
  ['not what has no value', '{ a: string; b?: never; c?: undefined; d: void }', { a: TEXT }, ['a']],
  ['what has a value or none', '{ a?: string | undefined; b?: (A & B) | string }', { a: TEXT, b: TEXT }, []],
  [
    'what must not be there among others',
    '{ a?: never; b?: A & B; [key: string]: string | undefined }',
    { a: { not: {} }, b: { not: {} } },
    [],
  ],
  ['anything', "{ a?: any; b: any } & Record<'c', any>", { a: {}, b: {}, c: {} }, ['b', 'c']],
  ['anything that is set', 'Loose', { a: {} }, ['a']],
  ['what is declared nowhere', "Record<'a' | 'b', string>", { a: TEXT, b: TEXT }, ['a', 'b']],
  [
    'a type with the words of its alias',
    '{ a: Mail; b?: Mail; c: Mail | undefined }',
    { a: MAIL, b: MAIL, c: MAIL },
    ['a'],
  ],
  ['a type that is mapped without them', 'Flags<{ a: Mail }>', { a: { type: 'boolean' } }, ['a']],
  ['values in their order', "{ a?: 'z' | 'b' | 'a' }", { a: { ...TEXT, enum: ['z', 'b', 'a'] } }, []],
  [
    'a class with its defaults',
    'Defaults',
    {
      known: { ...TEXT, default: 'a' },
      told: { ...TEXT, default: 'b' },
      computed: TEXT,
      set: TEXT,
      size: { type: 'number', default: 2 },
    },
    ['set'],
  ],
  [
    'what decorators say of a class that is made',
    'Made',
    {
      long: { ...TEXT, maxLength: 5 },
      sent: TEXT,
      formed: { type: 'number' },
      listed: { type: 'array', items: TEXT, maxItems: 3 },
      there: TEXT,
      name_sent: TEXT,
    },
    ['long', 'sent', 'listed', 'formed', 'there', 'name_sent'],
  ],
  [
    'a Date in the format that a tag says, where @Transform creates it',
    'Timed',
    { at: { ...TEXT, format: 'time' } },
    ['at'],
  ],
  [
    'what decorators say of what is checked only',
    "Pick<Made, 'long' | 'sent' | 'kept' | 'name' | 'there' | 'maybe'>",
    {
      long: { ...TEXT, maxLength: 5 },
      sent: { ...TEXT, maxLength: 3 },
      kept: TEXT,
      name: TEXT,
      there: TEXT,
      maybe: TEXT,
    },
    ['long', 'sent', 'kept', 'name'],
  ],
  [
    'what a class computes, in a part of it',
    "Omit<Computing, 'b'>",
    { a: TEXT, sum: { type: 'number' } },
    ['a', 'sum'],
  ],
  ['no function of a part', "Pick<Shouting, 'a' | 'shout'>", { a: TEXT }, ['a']],
  ['no method of a part that need not be there', "Pick<Shouting, 'a' | 'maybe'>", { a: TEXT }, ['a']],
  [
    'no method that every object has',
    '{ a: string; toString(): string; hasOwnProperty: (key: string) => boolean } & Pick<Hinting, "toLocaleString">',
    { a: TEXT },
    ['a'],
  ],
  [
    'no optional member that is nothing but a function',
    '{ a: string; onDone?: (result: string) => void; onFail?: (() => void) | null; each?(): void; made: (() => void) | undefined }',
    { a: TEXT },
    ['a'],
  ],
  [
    'an optional member that may be data',
    '{ a?: string | undefined; b?: string[] }',
    { a: TEXT, b: { type: 'array', items: TEXT } },
    [],
  ],
  ['no method that only the class sees', 'Closed & { b: string }', { a: TEXT, b: TEXT }, ['a', 'b']],
];

const UNTYPED = 'no type is written. Write its type, or "unknown" for any JSON.';
const LOST =
  'it comes from a class, and no instance can be made of a part of one. Write the class itself, or Pick';

const REFUSED: readonly (readonly [type: string, path: string, message: string])[] = [
  ['{ inner }', 'value.inner', UNTYPED],
  ['Untyped', 'value.inner', UNTYPED],
  ['Constructed', 'value.inner', UNTYPED],
  ["{ 'x__@a@1': never }", 'value.x__@a@1', 'no JSON value has it.'],
  [
    '{ a: string; [Symbol.iterator]: string }',
    'value.[iterator]',
    'its name is a symbol, and JSON has none. Name the',
  ],
  [
    "{ '___proto__': string; '__proto__': string }",
    'value.__proto__',
    'no object keeps a property called __proto__. Give it another name.',
  ],
  ['Missing', 'value.inner', 'TypeScript cannot find it.'],
  ['{ a: string; b: never }', 'value.b', 'no JSON value has it.'],
  [
    'Listening',
    'value.onDone',
    "it is a function. Write Omit<Listening, 'onDone'> where the method does without it.",
  ],
  [
    '{ onDone: () => void }',
    'value.onDone',
    'it is a function. Write the data that the function would be called with.',
  ],
  ["Omit<Counting, 'b'>", 'value.count', LOST],
  ['Computing & { c: string }', 'value.sum', LOST],
  ['Counting & { c: string }', 'value.count', LOST],
];

const SOURCE = `
import { tool } from 'adorn';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { ArrayMaxSize, IsDefined, IsOptional, MaxLength } from 'class-validator';

interface Listening { a: string; onDone: (result: string) => void }
interface A { kind: 'a' }
class Hinting { a = ''; toLocaleString(): string { return ''; } }
interface B { kind: 'b' }
/** An address. */
type Mail = string;
type Flags<T> = { [Key in keyof T]: boolean };
declare function compute(): string;

class Defaults {
  known = 'a';
  /** @default b */
  told = 'a';
  computed: string = compute();
  set set(value: string) {}
  constructor(readonly size = 2) {}
}
class Made {
  @MaxLength(5) long!: string;
  @Transform(({ value }) => String(value)) @MaxLength(3) sent!: string;
  @Type(() => String) @ArrayMaxSize(3) listed!: string[];
  @Transform(({ value }: { value: number }) => String(value)) formed!: string;
  greet(): string { return this.long; }
  @Exclude() kept!: string;
  @IsDefined() there?: string;
  @Expose({ name: 'name_sent' }) name!: string;
  @Exclude() @IsOptional() maybe!: string;
}
class Timed {
  /** @format time */ @Transform(({ value }) => new Date(value)) at!: Date;
  day(): number { return this.at.getDay(); }
}
class Shouting { a!: string; shout = () => this.a; maybe?(): string }
class Closed { a!: string; private count(): number { return 1; } }
class Counting { a!: string; b!: string; count(): number { return 1; } }
class Computing { a!: string; b!: string; get sum(): number { return 1; } }
class Untyped { inner; }
class Loose { set a(value: any) {} }
class Constructed { constructor(readonly inner) {} }
class Missing { inner = lost(); }
class Given { @MaxLength(5) a = 'a'; b?: string; @IsOptional() c!: string }

${SENT.map(([, type], index) => `export class Sent${String(index)} { @tool run(value: ${type}): void {} }`).join('\n')}
${REFUSED.map(([type], index) => `export class Refused${String(index)} { @tool run(value: ${type}): void {} }`).join('\n')}
export class Back {
  @tool part(): Omit<Counting, 'b'> { throw new Error(); }
  @tool open(): { a?: never; [key: string]: string | undefined } { return {}; }
  @tool given(): Given { return new Given(); }
}
`;

describe('the properties of an object', () => {
  const { classes, faults } = deriveSource(SOURCE);

  it.each(SENT.map((one, index) => [...one, index] as const))(
    'are, as they are sent, %s: %s',
    (_what, _type, properties, required, index) => {
      const schema = classes[`Sent${String(index)}`]?.tools['run']?.parametersJsonSchema ?? {};
      const { value } = schema['properties'] as { value: JsonSchema };
      const [named] = Object.values((schema['$defs'] ?? {}) as Properties);
      const object = value['$ref'] === undefined ? value : (named ?? {});

      expect(faults[`Sent${String(index)}`]).toBeUndefined();
      expect(object['properties']).toEqual(properties);
      expect(object['required'] ?? []).toEqual(required);
    },
  );

  it.each(REFUSED.map((one, index) => [...one, index] as const))(
    'cannot be %s: at %s, %s',
    (_type, path, message, index) => {
      expect(faults[`Refused${String(index)}`]?.message).toContain(`("${path}")`);
      expect(faults[`Refused${String(index)}`]?.message).toContain(message);
    },
  );

  it('are, as they are given back, as they are declared, for nobody checks, makes or completes them', () => {
    const responseOf = (method: string) => classes['Back']?.tools[method]?.responseJsonSchema;

    expect(responseOf('part')).toMatchObject({ properties: { a: TEXT }, required: ['a'] });
    expect(responseOf('open')).toEqual({ type: 'object', additionalProperties: TEXT });
    expect(responseOf('given')?.['$defs']).toMatchObject({
      Given: { properties: { a: TEXT, b: TEXT, c: TEXT }, required: ['a', 'c'] },
    });
    expect(JSON.stringify(responseOf('given'))).not.toMatch(/default|maxLength/);
  });
});
