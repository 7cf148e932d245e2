import fc from 'fast-check';

import { jsonSize } from './json-size.js';

/** Keys, values that are no container, and containers. */
function count(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + count(one), 1);
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, one) => sum + 1 + count(one), 1);
}

function depth(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depth));
}

describe('jsonSize', () => {
  it('counts what a text holds, near enough, without parsing it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 2), (value, space) => {
        const { values, levels } = jsonSize(JSON.stringify(value, undefined, space));
        expect(levels).toBe(depth(value));
        expect(values).toBeGreaterThanOrEqual(count(value) / 2);
        expect(values).toBeLessThanOrEqual(2 * count(value) + 1);
      }),
    );
  });

  it('ends for texts that are no JSON', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', '\\', '[', '}', ',', 'x') }), (text) => {
        expect(jsonSize(text).levels).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});
