import { frozenJson, ValueNotJsonError } from './json-value.js';

describe('frozenJson', () => {
  it.each([
    '{"__proto__":{"polluted":true},"a":1}',
    '{"a":{"__proto__":{"polluted":true},"b":[{"__proto__":1}]}}',
  ])('keeps a field __proto__ as data: %s', (text) => {
    const frozen = frozenJson(JSON.parse(text) as object);

    expect(JSON.stringify(frozen)).toBe(text);
    expect(Object.getPrototypeOf(frozen)).toBe(Object.prototype);
    expect('polluted' in frozen).toBe(false);
    expect(frozenJson(frozen)).toBe(frozen);
  });

  it('keeps an object without a prototype as one', () => {
    const fields = Object.assign(Object.create(null) as object, { a: { b: 1 } });

    expect(Object.getPrototypeOf(frozenJson(fields))).toBeNull();
  });

  it('names a cycle, and a nesting that is too deep', () => {
    const cycle: Record<string, unknown> = {};
    cycle['list'] = [cycle, cycle];
    let deep: unknown = 1;
    for (let level = 0; level < 10_000; level++) deep = { deep };

    expect(() => frozenJson(cycle)).toThrow(ValueNotJsonError);
    expect(() => frozenJson(cycle)).toThrow('a cycle');
    expect(() => frozenJson(deep)).toThrow('levels of nesting');
  });
});
