import { withoutStrictNulls } from './strict-schema.js';

const TEXT = { type: 'string' };

describe('withoutStrictNulls', () => {
  it('drops nulls of properties that are neither required nor nullable, at every depth', () => {
    const schema = {
      type: 'object',
      properties: {
        id: TEXT,
        note: TEXT,
        size: { type: ['number', 'null'] },
        lines: {
          type: 'array',
          items: { type: 'object', properties: { sku: TEXT, hint: TEXT }, required: ['sku'] },
        },
        next: { $ref: '#/$defs/Node' },
      },
      required: ['id'],
      $defs: { Node: { type: 'object', properties: { name: TEXT, next: { $ref: '#/$defs/Node' } } } },
    };

    expect(
      withoutStrictNulls(schema, {
        id: null,
        note: null,
        size: null,
        lines: [{ sku: 'a', hint: null }],
        next: { name: 'b', next: { name: null, next: null } },
      }),
    ).toEqual({ id: null, size: null, lines: [{ sku: 'a' }], next: { name: 'b', next: {} } });
  });

  it('follows the branch of a union that the value means', () => {
    const branch = (kind: string, property: object): object => ({
      type: 'object',
      properties: { kind: { const: kind }, note: property },
      required: ['kind'],
    });
    const schema = { anyOf: [branch('a', TEXT), branch('b', { type: ['string', 'null'] })] };

    expect(withoutStrictNulls(schema, { kind: 'a', note: null })).toEqual({ kind: 'a' });
    expect(withoutStrictNulls(schema, { kind: 'b', note: null })).toEqual({ kind: 'b', note: null });
  });

  it('returns the same value where there is nothing to drop, and ends for a schema that refers to itself', () => {
    const value = { note: 'x', extra: null };

    expect(withoutStrictNulls({ type: 'object', properties: { note: TEXT } }, value)).toBe(value);
    expect(withoutStrictNulls({ $ref: '#' }, value)).toBe(value);
    expect(withoutStrictNulls({}, null)).toBeNull();
  });
});
