import { areDisjoint } from './plain-keywords.js';
import type { JsonObject } from './json-object.js';

const CAT = kind('cat');
const DOG = kind('dog');

describe('areDisjoint', () => {
  it.each<[what: string, alternatives: readonly JsonObject[]]>([
    ['none', []],
    ['one alone', [CAT]],
    ['types', [{ type: 'string' }, { type: 'integer' }, { type: ['null', 'boolean'] }]],
    ['constants', [{ const: 'a' }, { const: 'b' }, { const: null }]],
    ['values', [{ enum: ['a', 'b'] }, { const: 'c' }, { enum: [1] }]],
    ['objects as values', [{ const: { of: 1 } }, { const: { of: 2 } }]],
    ['a required property with other values', [CAT, DOG, kind('cow')]],
    ['one of several required properties', [CAT, DOG].map((one) => ({ ...one, required: ['name', 'kind'] }))],
  ])('sees it by %s', (_what, alternatives) => {
    expect(areDisjoint(alternatives)).toBe(true);
    expect(areDisjoint([...alternatives].reverse())).toBe(true);
  });

  it.each<[what: string, alternatives: readonly JsonObject[]]>([
    ['a type twice', [{ type: 'string' }, { type: 'null' }, { type: 'string' }]],
    ['a number, which may be an integer', [{ type: 'number' }, { type: 'integer' }]],
    ['types that share one', [{ type: ['string', 'null'] }, { type: ['number', 'null'] }]],
    ['a type and anything', [{ type: 'string' }, {}]],
    ['a value and anything', [{ const: 'a' }, {}]],
    ['values that share one', [{ enum: ['a', 'b'] }, { enum: ['b', 'c'] }]],
    ['values of objects that are alike', [{ const: { of: 1 } }, { enum: [{ of: 1 }] }]],
    ['a property that one may leave out', [CAT, { ...DOG, required: [] }]],
    ['a property of which one says nothing', [CAT, { ...DOG, properties: {} }]],
    ['a property that every object has', [required('toString'), required('toString')]],
    ['a reference, behind which nothing is looked at', [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }]],
  ])('does not see it by %s', (_what, alternatives) => {
    expect(areDisjoint(alternatives)).toBe(false);
    expect(areDisjoint([...alternatives].reverse())).toBe(false);
  });
});

function kind(value: string): JsonObject {
  return { type: 'object', properties: { kind: { const: value } }, required: ['kind'] };
}

function required(name: string): JsonObject {
  return { type: 'object', properties: {}, required: [name] };
}
