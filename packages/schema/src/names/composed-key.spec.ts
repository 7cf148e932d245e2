import fc from 'fast-check';

import { composedKey, composedParts, composedPrefix } from './composed-key.js';

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

describe('composedParts', () => {
  it.each([[['acme', 'bob']], [['acme/bob', '', 's",1']]])('are those of the key of %j', (parts) => {
    expect(composedParts(composedKey(...parts))).toEqual(parts);
  });
});

describe('composedPrefix', () => {
  it('is what keys with more parts begin with, and no others', () => {
    const prefix = composedPrefix('acme', 'bob');

    expect(composedKey('acme', 'bob', 's1').startsWith(prefix)).toBe(true);
    expect(composedKey('acme', 'bobby', 's1').startsWith(prefix)).toBe(false);
    expect(composedKey('acme', 'bob').startsWith(prefix)).toBe(false);
  });
});
