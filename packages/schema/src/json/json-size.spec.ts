import fc from 'fast-check';

import { exceedsBytes } from './json-size.js';

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz 0123456789');

/** Text that is written as it stands, one byte to the character. */
const PLAIN = fc.string({ unit: fc.constantFrom(...LETTERS) });
const VALUES = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    PLAIN,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    tie('list'),
    tie('record'),
  ),
  list: fc.array(tie('value')),
  record: fc.dictionary(PLAIN, tie('value')),
})).value;

describe('exceedsBytes', () => {
  it.each<[unknown, number, boolean]>([
    ['abc', 5, false],
    ['abc', 4, true],
    ['\u{1f680}', 6, false],
    ['\u{1f680}', 5, true],
    [12, 2, false],
    [12, 1, true],
    [null, 4, false],
    [true, 3, true],
    [{}, 2, false],
    [[], 1, true],
    [{ text: 'x'.repeat(100) }, 120, false],
    [{ text: 'x'.repeat(100) }, 100, true],
    [[['x'.repeat(100)]], 100, true],
    ['x', 0, true],
  ])('of %j and %d', (value, limit, expected) => {
    expect(exceedsBytes(value, limit)).toBe(expected);
  });

  it('agrees with what JSON.stringify writes, but for a byte in each list and object', () => {
    fc.assert(
      fc.property(VALUES, (value) => {
        const bytes = Buffer.byteLength(JSON.stringify(value));
        const slack = containersIn(value);

        expect([exceedsBytes(value, bytes - 1), exceedsBytes(value, bytes + slack)]).toEqual([true, false]);
      }),
    );
  });

  it('counts down to the deepest level of JSON, and ends also in a cycle', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    let deep: unknown = 'x'.repeat(100);
    for (let level = 0; level < 199; level++) deep = [deep];

    expect(exceedsBytes(cycle, 100_000)).toBe(false);
    expect(exceedsBytes(deep, 490)).toBe(true);
    expect(exceedsBytes(deep, 510)).toBe(false);
  });

  it('stops counting where it knows', () => {
    const unreadable = {
      get last(): never {
        throw new Error('This was not needed.');
      },
    };

    expect(exceedsBytes(['x'.repeat(200), unreadable], 100)).toBe(true);
  });
});

function containersIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, field) => sum + containersIn(field), 1);
}
