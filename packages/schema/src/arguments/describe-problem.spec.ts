import { schemaCompiler } from './ajv.js';
import { describeProblem } from './describe-problems.js';
import type { JsonSchema } from '../reader/schema-parts.js';

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
    [
      { properties: { colour: {}, size: {} }, additionalProperties: false },
      { color: 1 },
      'color is not a parameter (did you mean colour?)',
    ],
    [
      { properties: { colour: {}, size: {} }, additionalProperties: false },
      { color: 1, colour: 2 },
      'color is not a parameter',
    ],
    [{ properties: { id: {} }, additionalProperties: false }, { at: 1 }, 'at is not a parameter'],
    [
      { properties: { idx: {} }, additionalProperties: false },
      { ids: 1 },
      'ids is not a parameter (did you mean idx?)',
    ],
    [propertyOf('a', { type: ['string', 'null'] }), { a: 1 }, 'a must be string or null, not 1'],
    [propertyOf('a', { type: 'string', examples: [] }), { a: 1 }, 'a must be string, not 1'],
    [propertyOf('a', { unevaluatedProperties: false }), { a: { b: 1 } }, 'a.b is not a parameter'],
    [
      propertyOf('a', { type: 'string', examples: ['A-17', 'A-18'] }),
      { a: 1 },
      'a must be string, not 1, for example "A-17"',
    ],
    [
      { required: ['a'], properties: { a: { examples: [3] } } },
      {},
      'a is required and missing, for example 3',
    ],
    [propertyOf('password', { type: 'string' }), { password: 17 }, 'password must be string, not (hidden)'],
    [
      propertyOf('apiKey', { pattern: '^k' }),
      { apiKey: 'x' },
      'apiKey must match pattern "^k", and is (hidden)',
    ],
    [
      propertyOf(
        'login',
        propertyOf('access_token', { type: 'object', properties: { a: { type: 'string' } } }),
      ),
      { login: { access_token: { a: 1 } } },
      'login.access_token.a must be string, not (hidden)',
    ],
    [propertyOf('a', { type: 'number', format: 'password' }), { a: 'x' }, 'a must be number, not (hidden)'],
    [propertyOf('a', { type: 'number', writeOnly: true }), { a: 'x' }, 'a must be number, not (hidden)'],
    [
      propertyOf('a', { type: 'number' }),
      { a: { user: 'ada', secret: 'x' } },
      'a must be number, not {"user":"ada","secret":"(hidden)"}',
    ],
    [propertyOf('a', { type: 'number' }), { a: '{"password":"x"' }, 'a must be number, not (hidden)'],
    [propertyOf('a', { type: 'number' }), { a: 'Authorization: Bearer x' }, 'a must be number, not (hidden)'],
    [propertyOf('note', { type: 'number' }), { note: 'no token' }, 'note must be number, not "no token"'],
  ])('of %j says of %j', async (schema, value, sentence) => {
    const validate = (await schemaCompiler(schema))();

    expect(validate(value)).toBe(false);
    expect(validate.errors?.map((error) => describeProblem(error))).toEqual([sentence]);
  });

  it('names of many allowed values the nearest first, and says how many there are', async () => {
    const zones = Array.from({ length: 50 }, (_, index) => `zone-${String(index)}`);
    const validate = (await schemaCompiler(propertyOf('zone', { enum: [0, ...zones, 'europe/oslo'] })))();
    const sentence = (zone: unknown): string | undefined => {
      validate({ zone });
      return validate.errors?.map((error) => describeProblem(error)).join();
    };

    expect(sentence('europe/olso')).toMatch(
      /^zone must be one of "europe\/oslo", 0, "zone-0", .* and 32 more, not "europe\/olso"$/,
    );
    expect(sentence(7)).toMatch(/^zone must be one of 0, "zone-0", .* and 32 more, not 7$/);
  });

  it('names all allowed values in their order, where they are no more than 20', async () => {
    const zones = Array.from({ length: 20 }, (_, index) => `zone-${String(index)}`);
    const validate = (await schemaCompiler({ enum: zones }))();
    validate('zone-19x');

    expect(validate.errors?.map((error) => describeProblem(error))).toEqual([
      `the arguments must be one of ${zones.map((zone) => `"${zone}"`).join(', ')}, not "zone-19x"`,
    ]);
  });

  it('names the keyword where nothing else is said', () => {
    const error = { keyword: 'odd', instancePath: '/a', schemaPath: '', params: {} };

    expect(describeProblem(error)).toBe('a fails "odd", and is nothing');
  });
});

function propertyOf(name: string, schema: JsonSchema): JsonSchema {
  return { properties: { [name]: schema } };
}
