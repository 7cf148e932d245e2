import { findDifference } from './find-difference.js';

describe('findDifference', () => {
  it('finds none where the order of keys differs, or a property is undefined', () => {
    expect(
      findDifference({ a: [1, { b: null }], c: 'x' }, { c: 'x', d: undefined, a: [1, { b: null }] }),
    ).toBe(undefined);
  });

  it.each([
    [{ a: { b: [1, 2] } }, { a: { b: [1, 3] } }, '$.a.b[1]: expected 2, got 3'],
    [{ a: 1 }, {}, '$.a: expected 1, got nothing'],
    [{}, { a: 1 }, '$.a: expected nothing, got 1'],
    [[1], [1, 2], '$: expected 1 entries, got 2: [1,2]'],
    [[], {}, '$: expected [], got {}'],
    [null, undefined, '$: expected null, got nothing'],
    [{ 0: 'a' }, ['a'], '$: expected {"0":"a"}, got ["a"]'],
    [
      'a'.repeat(40),
      `${'a'.repeat(39)}b`,
      `$ from character 19: expected "${'a'.repeat(21)}", got "${'a'.repeat(20)}b"`,
    ],
    [
      `${'a'.repeat(30)} `,
      'a'.repeat(30),
      `$ from character 10: expected "${'a'.repeat(20)} ", got "${'a'.repeat(20)}"`,
    ],
    ['1', 1, '$: expected "1", got 1'],
  ])('says of %j and %j where they differ', (expected, actual, difference) => {
    expect(findDifference(expected, actual)).toBe(difference);
  });
});
