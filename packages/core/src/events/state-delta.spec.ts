import fc from 'fast-check';

import { applyKey } from './state.js';

const KEYS = fc.oneof(
  fc.string(),
  fc.constantFrom('__proto__', 'constructor', 'a', 'temp:a', 'temp:__proto__', 'user:a'),
);

describe('applyKey', () => {
  it('writes a value, and removes the key by null or undefined', () => {
    const state: Record<string, unknown> = { a: 1, b: 2, c: 3 };

    applyKey(state, 'a', 0);
    applyKey(state, 'b', null);
    applyKey(state, 'c', undefined);
    applyKey(state, 'd', '');
    applyKey(state, 'never', null);

    expect(state).toEqual({ a: 0, d: '' });
  });

  it('does to a state without a prototype what a Map does, whatever the keys', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(KEYS, fc.option(fc.jsonValue()))), (writes) => {
        const state = Object.create(null) as Record<string, unknown>;
        const expected = new Map<string, unknown>();

        for (const [key, value] of writes) {
          applyKey(state, key, value);
          if (value === null) expected.delete(key);
          else expected.set(key, value);
        }

        expect(new Map(Object.entries(state))).toEqual(expected);
      }),
    );
  });
});
