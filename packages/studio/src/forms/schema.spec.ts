import {
  faultOf,
  fieldKind,
  initialValue,
  schemaOfValue,
  withoutNull,
  withValue,
  wordsOf,
} from './schema.js';

describe('the form of a schema', () => {
  it('has a control for each type, in the words of JSON Schema and of Google', () => {
    const schemas = [
      { type: 'STRING' },
      { type: 'string', maxLength: 1000 },
      { type: ['integer', 'null'] },
      { type: 'boolean' },
      { enum: ['a'] },
      { type: 'array', items: { type: 'string' } },
      { type: 'object', properties: { a: {} } },
      { type: 'object' },
      {},
    ];

    expect(schemas.map(fieldKind)).toEqual([
      ...['text', 'long-text', 'integer', 'boolean', 'choice', 'list', 'object', 'json', 'json'],
    ]);
  });

  it('takes the one alternative that is not null', () => {
    const schema = { description: 'When.', anyOf: [{ type: 'string' }, { type: 'null' }] };

    expect(withoutNull(schema)).toMatchObject({ type: 'string', description: 'When.' });
  });

  it('begins with defaults and required values, and keeps the order of what is changed', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'boolean' }, b: { type: 'string' }, c: { default: 3 } },
      required: ['a', 'c'],
    };

    expect(initialValue(schema)).toEqual({ a: false, c: 3 });
    expect(JSON.stringify(withValue({ a: 1, b: 2 }, 'a', 3))).toBe('{"a":3,"b":2}');
    expect(withValue({ a: 1, b: 2 }, 'a', undefined)).toEqual({ b: 2 });
  });

  it('names what is missing or out of range', () => {
    const schema = {
      type: 'object',
      properties: { orderId: { type: 'string' }, cents: { type: 'integer', minimum: 1 } },
      required: ['orderId'],
    };

    expect(faultOf(schema, {})).toBe('Order id is missing.');
    expect(faultOf(schema, { orderId: 'A', cents: 0 })).toBe('Cents must be at least 1.');
    expect(faultOf(schema, { orderId: 'A', cents: 1.5 })).toBe('Cents must be a whole number.');
    expect(faultOf(schema, { orderId: 'A' })).toBeUndefined();
  });

  it('is derived from a value whose schema is unknown', () => {
    expect(faultOf(schemaOfValue({ cents: 5, tags: ['a'] }), { cents: 6, tags: [] })).toBeUndefined();
    expect(wordsOf('refund_order')).toBe('Refund order');
  });
});
