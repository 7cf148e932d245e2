import { schemaCompiler } from './ajv.js';
import { describeProblem } from './describe-problem.js';
import type { JsonSchema } from './json-schema.js';

describe('describeProblem', () => {
  it.each<[JsonSchema, unknown, string]>([
    [{ type: 'object' }, 'x', 'the arguments must be object, not "x"'],
    [{ required: ['a'] }, {}, 'a is required and missing'],
    [{ additionalProperties: false }, { a: 1 }, 'a is not a parameter'],
    [propertyOf('a', { type: 'string' }), { a: 1 }, 'a must be string, not 1'],
    [propertyOf('a', { required: ['b'] }), { a: {} }, 'a.b is required and missing'],
    [propertyOf('a', { additionalProperties: false }), { a: { b: 1 } }, 'a.b is not a parameter'],
    [propertyOf('a', propertyOf('b', { type: 'string' })), { a: { b: [] } }, 'a.b must be string, not []'],
    [
      propertyOf('items', { items: propertyOf('id', { type: 'string' }) }),
      { items: [{ id: 'x' }, { id: 7 }] },
      'items[1].id must be string, not 7',
    ],
    [
      propertyOf('rows', { items: { items: { type: 'number' } } }),
      { rows: [[1], [2, 'x']] },
      'rows[1][1] must be number, not "x"',
    ],
    [propertyOf('a/b', { type: 'string' }), { 'a/b': 1 }, 'a/b must be string, not 1'],
    [propertyOf('a~b', { type: 'string' }), { 'a~b': 1 }, 'a~b must be string, not 1'],
    [propertyOf('a~1b', { type: 'string' }), { 'a~1b': 1 }, 'a~1b must be string, not 1'],
    [propertyOf('a', { const: { b: 1 } }), { a: 2 }, 'a must be {"b":1}, not 2'],
    [propertyOf('a', { not: {} }), { a: 1 }, 'a must NOT be valid, and is 1'],
  ])('of %j says of %j', async (schema, value, sentence) => {
    const validate = (await schemaCompiler(schema))();

    expect(validate(value)).toBe(false);
    expect(validate.errors?.map(describeProblem)).toEqual([sentence]);
  });

  it('cuts a long value', async () => {
    const validate = (await schemaCompiler({ type: 'number' }))();
    validate('x'.repeat(500));

    expect(validate.errors?.map(describeProblem)).toEqual([
      `the arguments must be number, not "${'x'.repeat(59)}…`,
    ]);
  });
});

function propertyOf(name: string, schema: JsonSchema): JsonSchema {
  return { properties: { [name]: schema } };
}
