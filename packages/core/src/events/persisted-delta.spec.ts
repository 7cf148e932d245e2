import fc from 'fast-check';

import { ValueNotJsonError } from '@adorn/schema';
import { persistedDelta } from './state.js';

describe('persistedDelta', () => {
  it('gives the same object where all of it can be stored', () => {
    const delta = { city: 'Oslo', 'user:list': [1, { two: null }], gone: null, absent: undefined };

    expect(persistedDelta(delta)).toBe(delta);
    expect(persistedDelta({})).toEqual({});
  });

  it('leaves out temp: keys and writes values as JSON holds them, and the delta as it was', () => {
    const when = new Date(0);
    const delta = { 'temp:draft': new Map(), when, city: 'Oslo', nan: NaN };

    expect({ ...persistedDelta(delta) }).toEqual({
      when: '1970-01-01T00:00:00.000Z',
      city: 'Oslo',
      nan: null,
    });
    expect(delta).toEqual({ 'temp:draft': new Map(), when, city: 'Oslo', nan: NaN });
  });

  it('leaves out temp: keys and nothing else, whatever the keys', () => {
    const keys = fc.oneof(
      fc.string(),
      fc.constantFrom('__proto__', 'constructor', 'temp:a', 'temp:__proto__'),
    );
    fc.assert(
      fc.property(fc.dictionary(keys, fc.jsonValue()), (delta) => {
        const before = Object.entries(delta);

        const lasting = persistedDelta(JSON.parse(JSON.stringify(delta)) as typeof delta);

        expect(JSON.stringify(Object.entries(lasting))).toEqual(
          JSON.stringify(before.filter(([key]) => !key.startsWith('temp:'))),
        );
      }),
    );
  });

  it.each([[1n], [() => 1], [new Map()], [Symbol('x')], [{ deep: [1n] }]])('refuses %p', (value) => {
    expect(() => persistedDelta({ city: 'Oslo', value })).toThrow(ValueNotJsonError);
  });
});
