import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';

import { mergeSchemas } from './merge-schemas.js';

const ajv = new Ajv2020({ strict: false });

describe('mergeSchemas', () => {
  it('takes what both take, and nothing else', () => {
    fc.assert(
      fc.property(aSchema(), aSchema(), fc.array(aValue(), { maxLength: 8 }), (first, second, values) => {
        const dropped: unknown[] = [];

        const merged = mergeSchemas(first, second, (...one) => dropped.push(one));

        expect(dropped).toEqual([]);
        for (const value of values)
          expect([value, ajv.validate(merged, value)]).toEqual([
            value,
            ajv.validate(first, value) && ajv.validate(second, value),
          ]);
      }),
    );
  });

  it.each([
    ['integer', 'number', 'integer'],
    ['number', 'integer', 'integer'],
    [
      ['string', 'null'],
      ['null', 'string'],
      ['string', 'null'],
    ],
    [['string', 'null'], 'string', 'string'],
    [
      ['string', 'number'],
      ['string', 'integer'],
      ['string', 'integer'],
    ],
    ['string', ['string', 'integer'], 'string'],
    ['string', 'number', 'number'],
  ])('makes %j and %j the type %j', (first, second, type) => {
    expect(mergeSchemas({ type: first }, { type: second })).toEqual({ type });
  });

  it.each([
    ['pattern', 'a', 'b', 'b', 'a'],
    ['anyOf', [{}], [{ type: 'string' }], [{}], [{ type: 'string' }]],
    ['oneOf', [{}], [{ type: 'string' }], [{}], [{ type: 'string' }]],
    ['additionalProperties', { type: 'string' }, true, true, { type: 'string' }],
  ])('keeps one of two that cannot be merged, and says which it drops: %s', (keyword, a, b, kept, lost) => {
    const dropped: unknown[] = [];

    const merged = mergeSchemas({ [keyword]: a }, { [keyword]: b }, (...one) => dropped.push(one));

    expect([merged, dropped]).toEqual([{ [keyword]: kept }, [[keyword, lost]]]);
  });

  it.each([
    ['the words of the second', { title: 'A' }, { title: 'B' }, { title: 'B' }],
    ['the same twice', { pattern: 'a' }, { pattern: 'a' }, { pattern: 'a' }],
    ['a first object that is closed', closed(false), closed(true), closed(false)],
    ['a second object that is closed', closed({}), closed(false), closed(false)],
  ])('drops nothing of %s', (_what, first, second, expected) => {
    const dropped: unknown[] = [];

    expect([mergeSchemas(first, second, (...one) => dropped.push(one)), dropped]).toEqual([expected, []]);
  });
});

function closed(additionalProperties: unknown): Record<string, unknown> {
  return { additionalProperties };
}

function aSchema(): fc.Arbitrary<Record<string, unknown>> {
  const bound = fc.integer({ min: 0, max: 4 });
  return fc.record(
    {
      minimum: bound,
      exclusiveMinimum: bound,
      maximum: bound,
      exclusiveMaximum: bound,
      minLength: bound,
      maxLength: bound,
      minItems: bound,
      maxItems: bound,
      minProperties: bound,
      maxProperties: bound,
      // With nothing in common there would be no schema.
      enum: fc.subarray<unknown>([0, 1, 'aa', [1], { a: 1 }, null]).map((some) => [...some, 2]),
      required: fc.subarray(['a', 'b', 'c'], { maxLength: 1 }),
      allOf: fc.constantFrom([{ not: { type: 'null' } }], [{ not: { const: 1 } }]),
      properties: fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom({ minimum: 1 }, { maximum: 1 })),
    },
    { requiredKeys: [] },
  );
}

function aValue(): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.integer({ min: -1, max: 5 }),
    fc.integer({ min: 0, max: 5 }).map((length) => 'a'.repeat(length)),
    fc.array(fc.constant(1), { maxLength: 5 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.integer({ min: 0, max: 2 })),
    fc.constant(null),
  );
}
