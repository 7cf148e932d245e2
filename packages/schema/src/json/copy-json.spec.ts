import fc from 'fast-check';

import { copyJson } from './json-value.js';

describe('copyJson', () => {
  it('gives an equal value that shares nothing with the first', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy = copyJson(value);

        expect(JSON.stringify(copy)).toBe(JSON.stringify(withoutPrototypes(value)));
        expect(objectsIn(copy).filter((object) => objectsIn(value).includes(object))).toEqual([]);
      }),
    );
  });

  it('leaves out __proto__, at every depth', () => {
    const value = JSON.parse(
      '{"a":1,"__proto__":{"polluted":true},"b":[{"__proto__":{"polluted":true},"c":2}]}',
    ) as object;

    const copy = copyJson(value) as Record<string, unknown>;

    expect(JSON.stringify(copy)).toBe('{"a":1,"b":[{"c":2}]}');
    expect([
      copy['polluted'],
      Object.getPrototypeOf(copy),
      ({} as Record<string, unknown>)['polluted'],
    ]).toEqual([undefined, Object.prototype, undefined]);
  });

  it('keeps constructor and the like as fields', () => {
    const value = JSON.parse('{"constructor":{"prototype":{"polluted":true}},"toString":1}') as object;

    expect(JSON.stringify(copyJson(value))).toBe(JSON.stringify(value));
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each([['text'], [0], [true], [null]])('gives %p as it is', (value) => {
    expect(copyJson(value)).toBe(value);
  });
});

/** Every object and array in a value, itself included. */
function objectsIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}

function withoutPrototypes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), function (this: unknown, name: string, field: unknown) {
    return name === '__proto__' ? undefined : field;
  });
}
