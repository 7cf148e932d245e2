import type { JsonSchema } from '@adorn/core';

import type { SchemaTags } from '../../docs/schema-tags.js';
import { marked } from '../hydration-mark.js';
import { TagRefusal } from '../refusal.js';
import { withTags } from './with-tags.js';

const TEXT: JsonSchema = { type: 'string' };
const NUMBER: JsonSchema = { type: 'number' };
const DATE = marked({ type: 'string', format: 'date-time' }, { kind: 'date' });
const NAMED: JsonSchema = { $ref: '#/$defs/Named' };
const MISPLACED = 'move the tag to the declaration of the type';

describe('withTags', () => {
  it.each<[what: string, schema: JsonSchema, tags: SchemaTags, tagged: JsonSchema]>([
    ['nothing', TEXT, {}, TEXT],
    ['a keyword', TEXT, { maxLength: 3 }, { type: 'string', maxLength: 3 }],
    ['a deprecation', TEXT, { deprecated: true }, { type: 'string', deprecated: true }],
    ['nothing that is no tag of a schema', TEXT, { since: '1.0' }, TEXT],
    ['another type', NUMBER, { asType: 'integer', minimum: 1 }, { type: 'integer', minimum: 1 }],
    ['another type in place of a reference', NAMED, { asType: 'string' }, { type: 'string' }],
    [
      'another type in place of all that is said of the first',
      { type: 'object', title: 'T', description: 'D', properties: {}, additionalProperties: false },
      { asType: 'string', maxLength: 3 },
      { title: 'T', description: 'D', type: 'string', maxLength: 3 },
    ],
    [
      'another type in place of alternatives that do not allow it',
      { anyOf: [NAMED, { type: 'null' }] },
      { asType: 'string' },
      { type: 'string' },
    ],
    [
      'one of the types that are allowed',
      { anyOf: [TEXT, NUMBER] },
      { asType: 'string' },
      { anyOf: [TEXT, NUMBER], type: 'string' },
    ],
    ['a format', TEXT, { format: 'email' }, { type: 'string', format: 'email' }],
    ['a date alone', DATE, { format: 'date' }, { ...DATE, format: 'date' }],
    [
      'a date alone to the Date of a union',
      { anyOf: [NUMBER, { anyOf: [DATE, NAMED] }] },
      { format: 'date' },
      { anyOf: [NUMBER, { anyOf: [{ ...DATE, format: 'date' }, NAMED] }] },
    ],
    [
      'another type of elements in place of a reference',
      { type: 'array', items: NAMED },
      { items: { type: 'string' } },
      { type: 'array', items: { type: 'string' } },
    ],
    [
      'what else an object may have, where it is written in place',
      { type: 'object', properties: { a: TEXT }, additionalProperties: false },
      { additionalProperties: true },
      { type: 'object', properties: { a: TEXT }, additionalProperties: true },
    ],
    [
      'null',
      TEXT,
      { nullable: true, maxLength: 3 },
      { anyOf: [{ type: 'string', maxLength: 3 }, { type: 'null' }] },
    ],
    ['nothing where it is not nullable', TEXT, { nullable: false }, TEXT],
    [
      'what elements are',
      { type: 'array', items: TEXT },
      { items: { maxLength: 3 } },
      { type: 'array', items: { type: 'string', maxLength: 3 } },
    ],
    [
      'what elements are, and their type',
      { type: 'array' },
      { items: { type: 'integer', minimum: 1 } },
      { type: 'array', items: { type: 'integer', minimum: 1 } },
    ],
    ['a default, read by the type', NUMBER, { default: '3' }, { type: 'number', default: 3 }],
    ['a constant, read by the type', TEXT, { const: '3' }, { type: 'string', const: '3' }],
    [
      'examples, read by the type',
      NUMBER,
      { examples: ['3', '4.5'] },
      { type: 'number', examples: [3, 4.5] },
    ],
    ['a list of examples', TEXT, { examples: ['["a", "b"]'] }, { type: 'string', examples: ['a', 'b'] }],
    [
      'a list as one example of a list',
      { type: 'array' },
      { examples: ['["a", "b"]'] },
      { type: 'array', examples: [['a', 'b']] },
    ],
    [
      'a text that looks like a list of something else',
      TEXT,
      { examples: ['[1, 2]'] },
      { type: 'string', examples: ['[1, 2]'] },
    ],
    [
      'a list of examples where the type says nothing',
      {},
      { examples: ['[1, "b"]'] },
      { examples: [1, 'b'] },
    ],
  ])('adds %s', (_what, schema, tags, tagged) => {
    expect(withTags(schema, tags, undefined)).toEqual({ schema: tagged, notes: [] });
  });

  it.each<[what: string, tags: SchemaTags, notes: string[]]>([
    ['an example', { examples: ['many', '3'] }, ['Example: many']],
    ['a default', { default: 'as many as there are' }, ['Default: as many as there are']],
  ])('notes %s that is no value of the type', (_what, tags, notes) => {
    const { schema, notes: noted } = withTags(NUMBER, tags, undefined);

    expect(noted).toEqual(notes);
    expect(schema).toEqual({ type: 'number', ...(tags.examples && { examples: [3] }) });
  });

  it.each<[what: string, schema: JsonSchema, tags: SchemaTags, message: string]>([
    [
      'a value of the wrong kind',
      TEXT,
      { faults: [{ tag: 'maxLength', written: 'long', wanted: 'a number' }] },
      '@maxLength says "long", where a number belongs',
    ],
    [
      'a constant of another type',
      NUMBER,
      { const: 'many' },
      '@const says "many", where a value of its type belongs',
    ],
    [
      'a tag that speaks of texts',
      NUMBER,
      { pattern: 'x' },
      '@pattern speaks of texts, and the type it stands at is number',
    ],
    [
      'a tag that speaks of numbers',
      { type: ['string', 'null'] },
      { minimum: 1 },
      '@minimum speaks of numbers, and the type it stands at is string or null',
    ],
    [
      'a format that no Date is sent in',
      { anyOf: [NUMBER, DATE] },
      { format: 'time' },
      '@format says "time", and a Date is sent as "date" or "date-time"',
    ],
    [
      'a tag that speaks of lists',
      TEXT,
      { minItems: 1 },
      '@minItems speaks of lists, and the type it stands at is string',
    ],
    [
      'a tag that speaks of objects',
      TEXT,
      { minProperties: 1 },
      '@minProperties speaks of objects, and the type it stands at is string',
    ],
    ['other properties of a named type', NAMED, { additionalProperties: false }, MISPLACED],
    [
      'other properties of alternatives',
      { anyOf: [{ type: 'object' }, { type: 'null' }] },
      { additionalProperties: true },
      MISPLACED,
    ],
    [
      'other properties of elements of a named type',
      { type: 'array', items: NAMED },
      { items: { additionalProperties: false } },
      MISPLACED,
    ],
    [
      'such a tag for elements',
      { type: 'array', items: TEXT },
      { items: { minimum: 1 } },
      '@minimum speaks of numbers, and the type it stands at is string',
    ],
  ])('refuses %s', (_what, schema, tags, message) => {
    expect(() => withTags(schema, tags, undefined)).toThrow(TagRefusal);
    expect(() => withTags(schema, tags, undefined)).toThrow(message);
  });
});
