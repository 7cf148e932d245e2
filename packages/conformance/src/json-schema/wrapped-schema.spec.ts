import { wrapSchema } from './wrapped-schema.js';

describe('wrapSchema', () => {
  it('lets pointers follow the schema to its new place, and data alone', () => {
    const schema = {
      $ref: '#',
      anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#anchor' }],
      const: { $ref: '#' },
    };

    expect(wrapSchema(schema, 'newest')).toEqual({
      $schema: 'newest',
      type: 'object',
      properties: {
        value: {
          $ref: '#/properties/value',
          anyOf: [{ $ref: '#/properties/value/$defs/a' }, { $ref: '#anchor' }],
          const: { $ref: '#' },
        },
      },
      required: ['value'],
    });
  });

  it('takes the dialect that the schema names, and leaves what has an address of its own', () => {
    const schema = { $schema: 'own', $id: 'https://example.com/a', items: { $ref: '#' } };

    expect(wrapSchema(schema, 'newest')).toMatchObject({
      $schema: 'own',
      properties: { value: { $id: 'https://example.com/a', items: { $ref: '#' } } },
    });
    expect(wrapSchema(true, 'newest')['properties']).toEqual({ value: true });
  });
});
