import type { JsonSchema } from './schema-parts.js';
import { areDisjoint } from './are-disjoint.js';
import { SchemaDocument } from './schema-document.js';

const TEXT = { type: 'string' };
const NUMBER = { type: 'number' };
const CAT = { $ref: '#/$defs/Cat' };
const DOG = { $ref: '#/$defs/Dog' };
const DOCUMENT = new SchemaDocument({
  $defs: {
    Cat: closed({ kind: { ...TEXT, const: 'cat' } }),
    Dog: closed({ kind: { ...TEXT, const: 'dog' } }),
    Pet: CAT,
    Tree: closed({ trees: list({ $ref: '#/$defs/Tree' }) }),
    Wood: closed({ trees: list({ $ref: '#/$defs/Wood' }) }),
  },
});

describe('areDisjoint', () => {
  it.each<[what: string, one: JsonSchema, other: JsonSchema]>([
    ['types', TEXT, NUMBER],
    ['lists of types', { type: ['string', 'null'] }, { type: ['number', 'boolean'] }],
    ['literals', { ...TEXT, const: 'a' }, { ...TEXT, const: 'b' }],
    ['literals without a type', { const: 'a' }, { const: null }],
    ['a literal of another type', { const: 'a' }, NUMBER],
    ['literals of numbers', { ...NUMBER, const: 1 }, { type: 'integer', enum: [2, 3] }],
    ['enumerations', { ...TEXT, enum: ['a', 'b'] }, { ...TEXT, enum: ['c'] }],
    ['objects as literals', { const: { of: 1 } }, { const: { of: 2 } }],
    ['formats', { ...TEXT, format: 'date' }, { ...TEXT, format: 'date-time' }],
    ['a format and a pattern of digits', { ...TEXT, format: 'date' }, { ...TEXT, pattern: '^\\d+$' }],
    ['a format and a pattern of integers', { ...TEXT, format: 'uri' }, { ...TEXT, pattern: '^-?[0-9]+$' }],
    [
      'literals of one format',
      { ...TEXT, format: 'date', const: 'a' },
      { ...TEXT, format: 'date', const: 'b' },
    ],
    ['a property with other literals', CAT, DOG],
    ['a required property with other literals', open({ kind: { const: 1 } }), open({ kind: { const: 2 } })],
    ['a required property of another type', open({ id: TEXT }), open({ id: NUMBER })],
    ['a chain of references', { $ref: '#/$defs/Pet' }, DOG],
    ['one of several properties', closed({ id: TEXT, of: CAT }), closed({ id: TEXT, of: DOG })],
    ['a property that the other does not allow', closed({ id: TEXT }), closed({ name: TEXT })],
    ['such a property of the second', closed({}), closed({ name: TEXT })],
    ['such a property of the first', closed({ name: TEXT }), closed({})],
    ['such a property beside a shared one', closed({ id: TEXT, name: TEXT }), closed({ id: TEXT })],
    ['every alternative', { anyOf: [CAT, TEXT] }, { oneOf: [DOG, NUMBER] }],
    [
      'each shared type',
      { type: ['string', 'number'], enum: ['a', 1] },
      { type: ['string', 'number', 'null'], enum: ['b', 2, null] },
    ],
  ])('sees it by %s', (_what, one, other) => {
    expect([apart(one, other), apart(other, one)]).toEqual([true, true]);
  });

  it.each<[what: string, one: JsonSchema, other: JsonSchema]>([
    ['a schema and itself', CAT, { $ref: '#/$defs/Pet' }],
    ['two of one type', TEXT, TEXT],
    ['a type and anything', TEXT, {}],
    ['anything twice', {}, {}],
    ['a literal and its type', { ...TEXT, const: 'a' }, TEXT],
    ['a literal and anything', { const: 'a' }, {}],
    ['a format and any text', { ...TEXT, format: 'date' }, TEXT],
    ['one format', { ...TEXT, format: 'date' }, { ...TEXT, format: 'date' }],
    ['formats that share texts', { ...TEXT, format: 'uri' }, { ...TEXT, format: 'uri-reference' }],
    [
      'a format and a pattern that may match it',
      { ...TEXT, format: 'date' },
      { ...TEXT, pattern: '^[\\d-]+$' },
    ],
    ['two patterns', { ...TEXT, pattern: '^a' }, { ...TEXT, pattern: 'b$' }],
    ['enumerations that share a value', { ...TEXT, enum: ['a', 'b'] }, { ...TEXT, enum: ['b', 'c'] }],
    ['equal objects as literals', { const: { of: 1 } }, { enum: [{ of: 1 }] }],
    ['a number and an integer', NUMBER, { type: 'integer' }],
    ['types of which one is shared', { type: ['string', 'null'] }, { type: ['number', 'null'] }],
    ['objects with an optional property', open({ id: TEXT }), open({ id: TEXT, name: TEXT }, ['id'])],
    ['objects of any properties', { type: 'object' }, { type: 'object', required: ['id'] }],
    ['open objects with other properties', open({ id: TEXT }), open({ name: TEXT })],
    ['a name that a pattern allows', closed({ x: TEXT }), { ...closed({}), patternProperties: { x: {} } }],
    ['a property that may be anything', closed({ x: TEXT }), { ...closed({}), properties: { x: true } }],
    ['an optional literal', closed({ kind: { ...TEXT, const: 'cat' } }, []), DOG],
    [
      'a literal that one does not state',
      { ...open({}), required: ['kind'] },
      open({ kind: { const: 'dog' } }),
    ],
    ['a property that every object inherits', open({}, ['toString']), open({}, ['toString'])],
    ['a reference that leads nowhere', { $ref: '#/$defs/None' }, TEXT],
    ['schemas that contain themselves', { $ref: '#/$defs/Tree' }, { $ref: '#/$defs/Wood' }],
    ['one shared alternative', { anyOf: [CAT, DOG] }, DOG],
    ['lists, since both take the empty one', list(TEXT), list(NUMBER)],
    [
      'literals of one type, and others that may match',
      { type: ['string', 'number'], format: 'date' },
      { type: ['string', 'number'], format: 'time' },
    ],
  ])('does not see it by %s', (_what, one, other) => {
    expect([apart(one, other), apart(other, one)]).toEqual([false, false]);
  });

  it.each<[what: string, one: JsonSchema, other: JsonSchema, expected: boolean]>([
    ['other elements', list(TEXT), list(NUMBER), true],
    ['the same elements', list(CAT), list({ $ref: '#/$defs/Pet' }), false],
    ['any elements', { type: 'array' }, list(TEXT), false],
    ['lists of themselves', { $ref: '#/$defs/Tree' }, { $ref: '#/$defs/Wood' }, false],
  ])('tells lists apart by their elements if empty ones do not matter: %s', (_what, one, other, expected) => {
    const both = [apart(one, other, true), apart(other, one, true)];

    expect(both).toEqual([expected, expected]);
  });

  it('compares each schema with each other', () => {
    expect(areDisjoint([], DOCUMENT)).toBe(true);
    expect(areDisjoint([CAT], DOCUMENT)).toBe(true);
    expect(areDisjoint([CAT, DOG, TEXT], DOCUMENT)).toBe(true);
    expect(areDisjoint([CAT, DOG, CAT], DOCUMENT)).toBe(false);
  });
});

function apart(one: JsonSchema, other: JsonSchema, ignoreEmptyLists = false): boolean {
  return areDisjoint([one, other], DOCUMENT, { ignoreEmptyLists });
}

function list(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

/** An object without other properties, as the compiler writes it. */
function closed(
  properties: Readonly<Record<string, JsonSchema>>,
  required = Object.keys(properties),
): JsonSchema {
  return { ...open(properties, required), additionalProperties: false };
}

function open(
  properties: Readonly<Record<string, JsonSchema>>,
  required = Object.keys(properties),
): JsonSchema {
  return { type: 'object', properties, required };
}
