import { Ajv } from 'ajv';

import type { Json } from './json-shape.js';
import { mutate } from './mutate.js';
import { randomFrom } from './random.js';
import { sample } from './sample.js';

const TREE: Json = {
  $ref: '#/definitions/Tree%3Cstring%3E',
  definitions: {
    'Tree<string>': {
      type: 'object',
      properties: {
        kids: { type: 'array', items: { $ref: '#/definitions/Tree%3Cstring%3E' }, minItems: 1 },
        name: { type: 'string', minLength: 2, maxLength: 4 },
      },
      required: ['name'],
    },
  },
};

const PICKY: Json = {
  allOf: [{ type: 'object', properties: { a: { const: 1 } }, required: ['a'] }],
  type: 'object',
  properties: { b: { enum: ['x', 'y'] }, c: { type: 'string', pattern: '^[a-z]{4}-abc_1$' } },
  required: ['b', 'c'],
  patternProperties: { '^[0-9]+$': { type: ['null', 'boolean'] } },
  additionalProperties: { type: 'integer', minimum: 3, exclusiveMaximum: 5 },
};

const LISTS: Json = {
  type: 'array',
  items: [{ type: 'string' }, { anyOf: [{ type: 'number', multipleOf: 5 }, { type: 'null' }] }],
  additionalItems: { type: 'boolean' },
  minItems: 2,
};

describe('sample', () => {
  it.each([
    ['a tree', TREE],
    ['names, constants, patterns', { ...PICKY, allOf: undefined }],
    ['schemas taken in', { ...PICKY, additionalProperties: undefined }],
    ['lists', LISTS],
  ])('makes only what the schema allows: %s', (_, schema: Json) => {
    const allows = new Ajv({ strict: false }).compile(JSON.parse(JSON.stringify(schema)) as Json);
    const random = randomFrom(7);

    const refused = Array.from({ length: 100 }, () => sample(schema, random)).filter((one) => !allows(one));

    expect(refused).toEqual([]);
  });

  it('makes the same for the same seed, and other things for another', () => {
    const made = (seed: number): string => {
      const random = randomFrom(seed);
      return JSON.stringify(Array.from({ length: 10 }, () => sample(LISTS, random)));
    };

    expect(made(3)).toBe(made(3));
    expect(made(3)).not.toBe(made(4));
  });

  it('ends where a schema demands itself', () => {
    const endless = {
      type: 'object',
      properties: { a: { $ref: '#' }, b: { $ref: '#' } },
      required: ['a', 'b'],
    };

    expect(sample(endless, randomFrom(1))).toMatchObject({ a: {}, b: {} });
  });
});

describe('mutate', () => {
  it('drops, renames and retypes what is inside, and leaves the value itself as it was', () => {
    const random = randomFrom(5);
    const value = { a: 1, list: ['x'] };

    const made = Array.from({ length: 1000 }, () => JSON.stringify(mutate(value, random)));

    expect(made).toEqual(
      expect.arrayContaining([
        '{"a":1}',
        '{"aRenamed":1,"list":["x"]}',
        '{"a":null,"list":["x"]}',
        '{"a":1,"list":[]}',
        '{"a":1,"list":["x","x"]}',
        'true',
      ]),
    );
    expect(value).toEqual({ a: 1, list: ['x'] });
  });
});
