import { compareSchemas } from './compare-schemas.js';

const object = (properties: object, required: readonly string[] = []): Record<string, unknown> => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const text = { type: 'string' };
const number = { type: 'number' };
const expected = object({ a: text, b: number }, ['a']);
const inAllOf = { allOf: [{ $ref: '#/$defs/A' }], $defs: { A: expected } };
const defaulted = object({ a: { ...text, default: 'x' } });
const endless = { ...object({ self: { $ref: '#' }, a: text }, ['self', 'a']) };

describe('compareSchemas', () => {
  it.each([
    ['the same by a reference', expected, inAllOf],
    ['unknown keys allowed or not', expected, { ...expected, additionalProperties: true }],
    ['what has a default demanded or not', object({ a: text }, ['a']), defaulted],
    ['a type without a value that ends', endless, endless],
  ])('finds no difference: %s', (_, one, other) => {
    expect(compareSchemas(one, other, 1)).toBe(undefined);
  });

  it.each([
    ['nothing', {}, /^takes /],
    ['a member lost', object({ a: text }, ['a']), /^refuses .*"b"/],
    ['a member retyped', object({ a: text, b: text }, ['a']), /^refuses .*\/b must be string$/],
    [
      'a member no longer demanded',
      object({ a: text, b: number }),
      /^takes .* must have required property 'a'$/,
    ],
    [
      'a member demanded',
      object({ a: text, b: number }, ['a', 'b']),
      /^refuses .* must have required property 'b'$/,
    ],
    ['a schema that is none', { type: 'nonsense' }, /^Ajv refuses the schema: /],
  ])('tells %s', (_, derived, difference) => {
    expect(compareSchemas(expected, derived, 1)).toMatch(difference);
  });

  it('sees a member lost in a type without a value that ends', () => {
    const derived = object({ self: { $ref: '#' } }, ['self']);

    expect(compareSchemas(endless, derived, 1)).toMatch(/^refuses .*"a"/);
  });

  it('says so where no instance can be made', () => {
    expect(compareSchemas({ type: 'string', pattern: '^\\p{Lu}{3}q$' }, text, 1)).toBe(
      'no instance of what is expected could be made',
    );
  });
});
