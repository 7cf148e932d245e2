import { usableSchema } from './remote-schema.js';

const ELSEWHERE = { $ref: 'https://example.com/schema.json' };

describe('usableSchema', () => {
  it.each([
    ['a property', { type: 'object', properties: { a: ELSEWHERE } }],
    ['a definition that is used', { $ref: '#/$defs/A', $defs: { A: { anyOf: [ELSEWHERE] } } }],
  ])('does not use a schema that refers to another document in %s', async (_where, schema) => {
    expect(await usableSchema(schema)).toEqual({
      schema: { type: 'object' },
      fault: 'it refers to "https://example.com/schema.json"',
    });
  });

  it('uses a schema whose data has a field "$ref"', async () => {
    const schema = { type: 'object', properties: { link: { type: 'object', default: ELSEWHERE } } };

    expect(await usableSchema(schema)).toEqual({ schema });
  });
});
