import { schemaOfDocument } from './document-schema.js';
import { withoutRequired, withWrongType } from './spoiled-call.js';

describe('a spoiled call', () => {
  it('lacks an argument that it needs', () => {
    const call = { name: 'f', args: { a: 1, b: 2 } };

    expect(withoutRequired(call, { required: ['b'] })).toEqual({ name: 'f', args: { a: 1 } });
    expect(withoutRequired(call, { required: [] })).toBeUndefined();
  });

  it.each([
    ['string', undefined, { unasked: true }],
    ['dict', undefined, 7],
    ['array', { type: 'string' }, { unasked: true }],
    ['array', { type: 'dict' }, 7],
  ])('has a value that is no %s of %p', (type, items, value) => {
    const schema = schemaOfDocument({ properties: { any: { type: 'any' }, a: { type, items } } });

    expect(withWrongType({ name: 'f', args: { any: 1, a: 1 } }, schema)).toEqual({
      name: 'f',
      args: { any: 1, a: value },
    });
  });

  it('is not made where any value fits', () => {
    const schema = schemaOfDocument({ properties: { any: { type: 'any' }, list: { type: 'array' } } });

    expect(withWrongType({ name: 'f', args: { any: 1, list: [] } }, schema)).toBeUndefined();
  });
});
