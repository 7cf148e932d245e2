import type { JsonSchema } from '@adorn/core';

import { areDisjoint } from './are-disjoint.js';

const DEFINITIONS = new Map<string, JsonSchema>([
  ['Cat', object({ kind: { type: 'string', const: 'cat' } })],
  ['Dog', object({ kind: { type: 'string', const: 'dog' } })],
  ['Pet', { $ref: '#/$defs/Cat' }],
]);
const TEXT = { type: 'string' };
const NUMBER = { type: 'number' };
const CAT = { $ref: '#/$defs/Cat' };
const DOG = { $ref: '#/$defs/Dog' };

describe('isApart', () => {
  it.each<[what: string, one: JsonSchema, other: JsonSchema]>([
    ['kinds of JSON', TEXT, NUMBER],
    ['lists of such kinds', { type: ['string', 'null'] }, { type: ['number', 'boolean'] }],
    ['literals', { type: 'string', const: 'a' }, { type: 'string', const: 'b' }],
    ['literals of numbers', { type: 'number', const: 1 }, { type: 'integer', enum: [2, 3] }],
    ['enumerations', { type: 'string', enum: ['a', 'b'] }, { type: 'string', enum: ['c'] }],
    ['formats', { type: 'string', format: 'date' }, { type: 'string', format: 'date-time' }],
    ['a format and a pattern', { type: 'string', format: 'date' }, { type: 'string', pattern: '^\\d+$' }],
    [
      'literals of one format',
      { ...TEXT, format: 'date', const: 'a' },
      { ...TEXT, format: 'date', const: 'b' },
    ],
    ['a property with literals of their own', CAT, DOG],
    ['names for what is apart', { $ref: '#/$defs/Pet' }, DOG],
    [
      'what only one of several properties tells',
      object({ id: TEXT, of: CAT }),
      object({ id: TEXT, of: DOG }),
    ],
    ['a property that the other has no room for', object({ id: TEXT }), object({ name: TEXT })],
    ['such a property of the second', object({}), object({ name: TEXT })],
    ['such a property of the first', object({ name: TEXT }), object({})],
    ['such a property beside one that both have', object({ id: TEXT, name: TEXT }), object({ id: TEXT })],
    ['elements of lists', { type: 'array', items: TEXT }, { type: 'array', items: NUMBER }],
    [
      'all kinds that both may be',
      { type: ['string', 'number'], enum: ['a', 1] },
      { type: ['string', 'number', 'null'], enum: ['b', 2, null] },
    ],
  ])('sees two %s', (_what, one, other) => {
    expect([apart(one, other), apart(other, one)]).toEqual([true, true]);
  });

  it.each<[what: string, one: JsonSchema, other: JsonSchema]>([
    ['a schema and itself', CAT, { $ref: '#/$defs/Pet' }],
    ['texts of any form', TEXT, TEXT],
    ['a literal and any text', { type: 'string', const: 'a' }, TEXT],
    ['a text of a format and any text', { type: 'string', format: 'date' }, TEXT],
    ['texts of one format', { type: 'string', format: 'date' }, { type: 'string', format: 'date' }],
    [
      'enumerations that share a value',
      { type: 'string', enum: ['a', 'b'] },
      { type: 'string', enum: ['b', 'c'] },
    ],
    ['a literal and an enumeration with it', { type: 'number', const: 1 }, { type: 'number', enum: [1, 2] }],
    ['numbers', NUMBER, { type: 'integer' }],
    ['a literal and any number', { type: 'number', const: 1 }, NUMBER],
    ['objects with more', object({ id: TEXT }), object({ id: TEXT, name: TEXT }, ['id'])],
    ['objects that may have anything', { type: 'object' }, { type: 'object', required: ['id'] }],
    ['an open object and one with other properties', open({ id: TEXT }), open({ name: TEXT })],
    [
      'a property that the other has by a pattern',
      object({ x: TEXT }),
      { ...object({}), patternProperties: { x: {} } },
    ],
    ['a literal that one may leave out', object({ kind: { type: 'string', const: 'cat' } }, []), DOG],
    [
      'a property whose schema only one tells',
      { ...open({}), required: ['kind'] },
      open({ kind: { type: 'string', const: 'dog' } }),
    ],
    ['lists of one kind', { type: 'array', items: CAT }, { type: 'array', items: { $ref: '#/$defs/Pet' } }],
    ['a list of anything and one of texts', { type: 'array' }, { type: 'array', items: TEXT }],
    [
      'what is apart as one kind, and not as another',
      { type: ['string', 'number'], format: 'date' },
      { type: ['string', 'number'], format: 'time' },
    ],
    ['what may be anything', {}, {}],
  ])('does not see it of %s', (_what, one, other) => {
    expect([apart(one, other), apart(other, one)]).toEqual([false, false]);
  });
});

function apart(one: JsonSchema, other: JsonSchema): boolean {
  return areDisjoint(one, other, (name) => DEFINITIONS.get(name) ?? {});
}

/** As the compiler writes it: nothing but its properties. */
function object(
  properties: Readonly<Record<string, JsonSchema>>,
  required = Object.keys(properties),
): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

function open(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties) };
}
