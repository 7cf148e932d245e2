import fc from 'fast-check';

import { composedKey } from './composed-key.js';

const names = fc.array(
  fc.oneof(fc.string(), fc.constantFrom('a', 'a/b', '/', ':', ' ', '","', '\\', '"', '')),
);

describe('composedKey', () => {
  it('is the same for the same names, and another for all others', () => {
    fc.assert(
      fc.property(names, names, (one, other) => {
        const isSame = one.length === other.length && one.every((name, index) => name === other[index]);

        expect(composedKey(...one) === composedKey(...other)).toBe(isSame);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    [
      ['acme', 'bob/s1'],
      ['acme/bob', 's1'],
    ],
    [['a', ''], ['a']],
    [['1'], [1]],
  ])('tells %j from %j', (one, other) => {
    expect(composedKey(...one)).not.toBe(composedKey(...other));
  });
});
