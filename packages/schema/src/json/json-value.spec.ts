import fc from 'fast-check';

import { toJsonValue } from './json-value.js';

const ADVICE =
  'Pass plain values: a bigint as a string, a Map as an object, and no functions or circular references.';

describe('toJsonValue', () => {
  it.each([['text'], [''], [0], [-1.5], [true], [false], [null]])('keeps %p', (value) => {
    expect(toJsonValue(value)).toBe(value);
  });

  it.each([
    [{ a: 1, b: [true, null, { c: 'x' }] }],
    [[]],
    [{}],
    [[[1], [2]]],
    [JSON.parse('{"__proto__":{"a":1},"constructor":2}') as object],
  ])('gives the same object where it is plain already: %j', (value) => {
    expect(toJsonValue(value)).toBe(value);
  });

  it.each<[string, unknown, unknown]>([
    ['undefined', undefined, null],
    ['NaN', NaN, null],
    ['an infinity', -Infinity, null],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['a date that is none', new Date(NaN), null],
    ['an undefined field', { a: undefined, b: 1 }, { b: 1 }],
    ['an undefined element', [1, undefined], [1, null]],
    ['a NaN inside', { a: [NaN], b: { c: Infinity } }, { a: [null], b: { c: null } }],
    ['a date inside', { at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
    [
      'what says itself how it is written',
      { toJSON: () => ({ a: new Date(0) }) },
      { a: '1970-01-01T00:00:00.000Z' },
    ],
    ['a url', new URL('https://example.org/a'), 'https://example.org/a'],
  ])('writes %s as JSON does', (_what, value, expected) => {
    expect(toJsonValue(value)).toEqual(expected);
  });

  it('asks for the form of an object whose toJSON is not enumerable', () => {
    const secret = Object.defineProperty({ apiKey: 'k' }, 'toJSON', { value: () => 'hidden' });

    expect(toJsonValue({ secret, list: [secret] })).toEqual({ secret: 'hidden', list: ['hidden'] });
  });

  it('leaves the value that was given as it was', () => {
    const value = { a: undefined, at: new Date(0), list: [undefined] };

    toJsonValue(value);

    expect(Object.keys(value)).toEqual(['a', 'at', 'list']);
    expect([value.at, value.list]).toEqual([new Date(0), [undefined]]);
  });

  it('writes one object that stands in two places twice', () => {
    const shared = { a: undefined };

    expect(toJsonValue({ left: shared, right: [shared] })).toEqual({ left: {}, right: [{}] });
  });

  it.each<[string, unknown, string]>([
    ['a bigint', 10n, 'a bigint'],
    ['a function', () => 1, 'a function'],
    ['a symbol', Symbol('a'), 'a symbol'],
    ['a map', new Map(), 'a Map'],
    ['a set', new Set(), 'a Set'],
    ['a bigint inside', { rows: [{ id: 1 }, { id: 10n }] }, 'a bigint at rows.1.id'],
    ['a method', { run: () => 1 }, 'a function at run'],
    ['a map inside', { index: new Map() }, 'a Map at index'],
    ['a bigint behind toJSON', { at: { toJSON: () => 1n } }, 'a bigint at at'],
    ['201 levels', nested(201), 'more than 200 levels of nesting at a.a.a'],
    ['100,000 levels', nested(100_000), 'more than 200 levels of nesting at a.a.a'],
    ['a circle', circle(), 'a cycle at self'],
    ['a circle through a list', circleInList(), 'a cycle at list.1.back'],
  ])('refuses %s, and says where it is', (_what, value, found) => {
    expect(faultOf(() => toJsonValue(value))).toMatchObject({
      code: 'RESULT_NOT_JSON',
      message: `The value contains ${found}, which JSON cannot represent. ${ADVICE}`,
    });
  });

  it.each<[string, unknown, string]>([
    ['a Buffer', Buffer.from([1, 2]), 'bytes'],
    ['a Buffer as JSON', { file: { type: 'Buffer', data: [1, 2] } }, 'bytes at file'],
    ['a typed array', [new Float32Array(2)], 'bytes at 0'],
    ['an ArrayBuffer', new ArrayBuffer(2), 'bytes'],
    ['bytes behind toJSON', { at: { toJSON: () => new Uint8Array(2) } }, 'bytes at at'],
    ['a Blob', { file: new Blob([]) }, 'a Blob at file'],
  ])('refuses %s, and names artifacts', (_what, value, found) => {
    expect(faultOf(() => toJsonValue(value))).toMatchObject({
      code: 'RESULT_NOT_JSON',
      message:
        `The value contains ${found}, which JSON cannot represent. ` +
        "Save them with context.saveArtifact and pass the artifact's name.",
    });
  });

  it('agrees with JSON.stringify about every value that JSON can hold', () => {
    const values = fc.anything({
      withDate: true,
      withNullPrototype: true,
      withSparseArray: true,
      maxDepth: 4,
    });
    fc.assert(
      fc.property(fc.oneof(values, fc.jsonValue()), (value) => {
        const written = JSON.stringify(value) as string | undefined;

        expect(JSON.stringify(toJsonValue(value))).toBe(written ?? 'null');
      }),
    );
  });

  it('shares every JSON value with its caller', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(toJsonValue(value)).toBe(value);
      }),
    );
  });
});

/** So many objects inside one another. */
function nested(levels: number): object {
  let value = {};
  for (let level = 1; level < levels; level++) value = { a: value };
  return value;
}

function circle(): object {
  const value: Record<string, unknown> = { a: 1 };
  value['self'] = value;
  return value;
}

function circleInList(): object {
  const list: unknown[] = [1];
  list.push({ back: list });
  return { list };
}

/** What is thrown; undefined where nothing is. */
function faultOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
