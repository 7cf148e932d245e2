import { runInNewContext } from 'node:vm';

import fc from 'fast-check';

import { isSameJson } from './json-value.js';

describe('isSameJson', () => {
  it.each<[unknown, unknown, boolean]>([
    [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: undefined }, { b: undefined }, false],
    [[1, 2], [2, 1], false],
    [[], {}, false],
    [null, {}, false],
    ['1', 1, false],
    [{ toString: 1 }, {}, false],
  ])('of %j and %j', (one, other, expected) => {
    expect([isSameJson(one, other), isSameJson(other, one)]).toEqual([expected, expected]);
  });

  it('asks not in which realm a value was made', () => {
    expect(isSameJson(runInNewContext('({ a: [1] })'), { a: [1] })).toBe(true);
  });

  it('finds every JSON value the same as its own copy', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => isSameJson(value, structuredClone(value))));
  });
});
