import type { JsonSchema } from '@adorn/core';

import { deriveSource } from '../fixtures/temporary-project.js';

const SOURCE = `
import { tool } from 'adorn';

type Unit = 'kelvin' | 'celsius';
/** An address for mail. @format email */
type Email = string;
/** How sure. */
type Confidence = Ratio;
/** @minimum 0 @maximum 1 */
type Ratio = number;
enum Color { Red = 'red', Blue = 'blue' }
/** How bad it is. */
enum Level { Low, High = 10 }
/** Flags, one of them known only when the program runs. */
enum Flag { First = 1 << 0, Second = 1 << 1, Length = 'text'.length }
declare enum Ambient { One, Two }
enum Odd { None = <any>null, Yes = <any>true, Text = <any>'text' }
const enum Size { Small = 's', Large = 'l' }

/** A place on Earth. */
interface Place {
  /** Degrees north. @minimum -90 @maximum 90 */
  lat: number;
  lon: number; /** Degrees east. */
  readonly label?: string;
}
interface Tree { value: string; children?: Tree[]; parent?: Tree | null }
interface Page<Item> { items: Item[]; next: string | null }
type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
declare const brand: unique symbol;
type OrderId = string & { readonly brand: 'OrderId' };
interface Query { text: string; limit?: number; secret: string }
interface Circle { kind: 'circle'; radius: number }
interface Square { kind: 'square'; side: number }

export class Types {
  @tool union(a: 'zeta' | 'alpha', b: Unit, c: 3 | 1, d: 'on' | boolean, e: string | number, f: true): void {}
  @tool enums(a: Color, b: Level, c: Size, d: Color.Blue | Color.Red): void {}
  @tool computed(a: Flag, b: Flag.Second, c: Flag.Length, d: Ambient, e: Odd): void {}
  @tool empty(a: Record<string, never>, b: string[] & { readonly brand: 'Names' }): void {}
  @tool nullable(a: string | null, b: Unit | null, c: Place | null, d: number | undefined): void {}
  @tool arrays(a: string[], b: readonly Unit[], c: Array<number[]>, d: ReadonlyArray<'b' | 'a'>): void {}
  @tool tuples(a: [from: number, to?: number], b: [string, ...boolean[]], c: [...string[], number]): void {}
  @tool aliases(a: Email, b: Confidence, c: Email[]): void {}
  @tool nested(a: Place): void {}
  @tool recursive(a: Tree | null, b: Json): void {}
  @tool generic(a: Page<Place>, b: Page<string>): void {}
  @tool records(a: Record<string, number>, b: { [key: string]: unknown }, c: Record<Unit, boolean>, d: Place & { [key: \`x-\${string}\`]: string }): void {}
  @tool mapped(a: Omit<Query, 'secret'>, b: Partial<Place>, c: Pick<Place, 'lat'>): void {}
  @tool merged(a: Place & { height: number }, b: Circle | Square): void {}
  @tool branded(a: OrderId, b: \`W\${number}\`, c: Uppercase<string>): void {}
  @tool platform(a: Date, b: URL, c: bigint, d: Uint8Array, e: { at: Date }, ...f: Date[]): void {}
  @tool contradictory(a: (Circle | Square) & { kind: 'circle' }, b: { x?: never; [key: string]: number | undefined }): void {}
  @tool brands(a: Place & { readonly [brand]: 'Place' }, b: ('p' | 'q') & { readonly brand: 'Letter' }, c: 1n | 20n): void {}
  @tool anything(a: unknown, b: any, c: object, d: {}): void {}
  @tool tags(a: { /** Cents. @asType integer */ cents: number; /** @ignore */ internal: string }): void {}
}
`;

describe('the schema of a type', () => {
  const derived = deriveSource(SOURCE);
  const schemaOf = (method: string): JsonSchema =>
    derived.classes['Types']?.tools[method]?.parametersJsonSchema ?? {};
  const propertiesOf = (method: string): unknown => schemaOf(method)['properties'];

  it('is derived for every one of them', () => {
    expect(derived.faults).toEqual({});
  });

  it('of a union of literals is an enum in the order of the source', () => {
    expect(propertiesOf('union')).toEqual({
      a: { type: 'string', enum: ['zeta', 'alpha'] },
      b: { type: 'string', enum: ['kelvin', 'celsius'] },
      c: { type: 'number', enum: [3, 1] },
      d: { anyOf: [{ type: 'string', const: 'on' }, { type: 'boolean' }] },
      e: { type: ['string', 'number'] },
      f: { type: 'boolean', const: true },
    });
  });

  it('of an enum has its values and its words', () => {
    expect(propertiesOf('enums')).toEqual({
      a: { type: 'string', enum: ['red', 'blue'] },
      b: { type: 'number', enum: [0, 10], description: 'How bad it is.' },
      c: { type: 'string', enum: ['s', 'l'] },
      d: { type: 'string', enum: ['blue', 'red'] },
    });
  });

  it('allows null where the type does, and requires what is not optional', () => {
    expect(schemaOf('nullable')).toMatchObject({
      properties: {
        a: { type: ['string', 'null'] },
        b: { anyOf: [{ type: 'string', enum: ['kelvin', 'celsius'] }, { type: 'null' }] },
        c: { anyOf: [{ $ref: '#/$defs/Place' }, { type: 'null' }] },
        d: { type: 'number' },
      },
      required: ['a', 'b', 'c'],
    });
  });

  it('of an array has that of its elements', () => {
    expect(propertiesOf('arrays')).toEqual({
      a: { type: 'array', items: { type: 'string' } },
      b: { type: 'array', items: { type: 'string', enum: ['kelvin', 'celsius'] } },
      c: { type: 'array', items: { type: 'array', items: { type: 'number' } } },
      d: { type: 'array', items: { type: 'string', enum: ['b', 'a'] } },
    });
  });

  it('of a tuple has one for each element, described by its label', () => {
    expect(propertiesOf('tuples')).toEqual({
      a: {
        type: 'array',
        prefixItems: [
          { type: 'number', description: 'from' },
          { type: 'number', description: 'to' },
        ],
        minItems: 1,
        maxItems: 2,
      },
      b: { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'boolean' }, minItems: 1 },
      c: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] }, minItems: 1 },
    });
  });

  it('has the words and tags of an alias, and of the alias that it names', () => {
    expect(propertiesOf('aliases')).toEqual({
      a: { type: 'string', format: 'email', description: 'An address for mail.' },
      b: { type: 'number', minimum: 0, maximum: 1, description: 'How sure.' },
      c: { type: 'array', items: { type: 'string', format: 'email', description: 'An address for mail.' } },
    });
  });

  it('of an interface is a definition, with the words before, beside and behind its properties', () => {
    expect(schemaOf('nested')).toEqual({
      type: 'object',
      properties: { a: { $ref: '#/$defs/Place' } },
      required: ['a'],
      additionalProperties: false,
      $defs: {
        Place: {
          type: 'object',
          description: 'A place on Earth.',
          properties: {
            lat: { type: 'number', description: 'Degrees north.', minimum: -90, maximum: 90 },
            lon: { type: 'number', description: 'Degrees east.' },
            label: { type: 'string' },
          },
          required: ['lat', 'lon'],
          additionalProperties: false,
        },
      },
    });
  });

  it('of a type that contains itself refers to itself', () => {
    expect(schemaOf('recursive')['$defs']).toEqual({
      Tree: {
        type: 'object',
        properties: {
          value: { type: 'string' },
          children: { type: 'array', items: { $ref: '#/$defs/Tree' } },
          parent: { anyOf: [{ $ref: '#/$defs/Tree' }, { type: 'null' }] },
        },
        required: ['value'],
        additionalProperties: false,
      },
      Json: {
        anyOf: [
          { type: ['string', 'number', 'boolean'] },
          { type: 'array', items: { $ref: '#/$defs/Json' } },
          { type: 'object', additionalProperties: { $ref: '#/$defs/Json' } },
          { type: 'null' },
        ],
      },
    });
  });

  it('of a generic type is a definition for each of its arguments', () => {
    expect(propertiesOf('generic')).toEqual({
      a: { $ref: '#/$defs/Page_Place' },
      b: { $ref: '#/$defs/Page_string' },
    });
    expect(Object.keys(schemaOf('generic')['$defs'] as object).sort()).toEqual([
      'Page_Place',
      'Page_string',
      'Place',
    ]);
  });

  it('of an index signature says what other properties may be', () => {
    expect(propertiesOf('records')).toMatchObject({
      a: { type: 'object', additionalProperties: { type: 'number' } },
      b: { type: 'object' },
      c: {
        properties: { kelvin: { type: 'boolean' }, celsius: { type: 'boolean' } },
        additionalProperties: false,
      },
      d: { patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false },
    });
  });

  it('of a mapped type keeps the words of the properties it takes', () => {
    expect(propertiesOf('mapped')).toMatchObject({
      a: { properties: { text: { type: 'string' }, limit: { type: 'number' } }, required: ['text'] },
      b: { properties: { lat: { description: 'Degrees north.' } } },
      c: { properties: { lat: { description: 'Degrees north.' } }, required: ['lat'] },
    });
  });

  it('of an intersection has the members of all, and of a union of objects an alternative for each', () => {
    expect(propertiesOf('merged')).toMatchObject({
      a: { type: 'object', required: ['lat', 'lon', 'height'], additionalProperties: false },
      b: { anyOf: [{ $ref: '#/$defs/Circle' }, { $ref: '#/$defs/Square' }] },
    });
  });

  it('of a branded or patterned string is a string', () => {
    expect(propertiesOf('branded')).toEqual({
      a: { type: 'string' },
      b: { type: 'string', pattern: '^W-?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?$' },
      c: { type: 'string', pattern: '^[^a-z]*$' },
    });
  });

  it('of a type of the platform has its form in JSON, and the argument is made into the value again', () => {
    expect(propertiesOf('platform')).toEqual({
      a: { type: 'string', format: 'date-time' },
      b: { type: 'string', format: 'uri' },
      c: { type: ['integer', 'string'], pattern: '^-?[0-9]+$' },
      d: { type: 'string', contentEncoding: 'base64' },
      e: {
        type: 'object',
        properties: { at: { type: 'string', format: 'date-time' } },
        required: ['at'],
        additionalProperties: false,
      },
      f: { type: 'array', items: { type: 'string', format: 'date-time' } },
    });
    expect(derived.classes['Types']?.tools['platform']?.parameters).toEqual([
      { kind: 'argument', name: 'a', revive: { kind: 'date' } },
      { kind: 'argument', name: 'b', revive: { kind: 'url' } },
      { kind: 'argument', name: 'c', revive: { kind: 'bigint' } },
      { kind: 'argument', name: 'd', revive: { kind: 'bytes', as: 'Uint8Array' } },
      { kind: 'argument', name: 'e', revive: { kind: 'object', properties: { at: { kind: 'date' } } } },
      { kind: 'argument', name: 'f', rest: true, revive: { kind: 'list', rest: { kind: 'date' } } },
    ]);
  });

  it('leaves out what contradicts itself, and forbids what may never be there', () => {
    expect(propertiesOf('contradictory')).toMatchObject({
      a: {
        properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
        required: ['kind', 'radius'],
      },
      b: { properties: { x: { not: {} } }, additionalProperties: { type: 'number' } },
    });
  });

  it('passes over a brand, and takes a big integer by its digits', () => {
    expect(propertiesOf('brands')).toMatchObject({
      a: { type: 'object', required: ['lat', 'lon'], additionalProperties: false },
      b: { type: 'string', enum: ['p', 'q'] },
      c: { anyOf: [{ enum: [1, '1'] }, { enum: [20, '20'] }] },
    });
  });

  it('of what is written as unknown or any allows anything, and of an object any object', () => {
    expect(propertiesOf('anything')).toEqual({ a: {}, b: {}, c: { type: 'object' }, d: { type: 'object' } });
  });

  it('follows the tags of a property', () => {
    expect(propertiesOf('tags')).toEqual({
      a: {
        type: 'object',
        properties: { cents: { type: 'integer', description: 'Cents.' } },
        required: ['cents'],
        additionalProperties: false,
      },
    });
  });

  it('of an enum allows any number where its own are known only when the program runs, and what is cast', () => {
    const description = 'Flags, one of them known only when the program runs.';
    expect(propertiesOf('computed')).toEqual({
      a: { description, anyOf: [{ type: 'number', enum: [1, 2] }, { type: 'number' }] },
      b: { type: 'number', const: 2 },
      c: { type: 'number' },
      d: { type: 'number' },
      e: {
        anyOf: [{ type: 'null' }, { type: 'boolean', const: true }, { type: 'string', const: 'text' }],
      },
    });
  });

  it('of a record of never allows no key, and of a branded list is that of the list', () => {
    expect(propertiesOf('empty')).toEqual({
      a: { type: 'object', additionalProperties: false },
      b: { type: 'array', items: { type: 'string' } },
    });
  });
});
