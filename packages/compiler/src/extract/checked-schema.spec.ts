import type { JsonSchema } from '@adorn/core';

import { checkedSchema } from './finished-schema.js';

const BROKEN = { type: 'string', pattern: '[' };

describe('checkedSchema', () => {
  it('gives a schema back as it is', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { id: { type: 'string', pattern: '^A-\\d+$' } },
    };

    expect(checkedSchema(schema)).toBe(schema);
  });

  it.each<[what: string, schema: JsonSchema, message: string]>([
    [
      'of a type that there is not',
      { type: 'word' },
      'schema/type must be equal to one of the allowed values',
    ],
    ['whose keyword has a value of another kind', { minimum: 'low' }, 'schema/minimum must be number'],
    ['with a fault deep inside', { items: { maxLength: -1 } }, 'schema/items/maxLength must be >= 0'],
    [
      'with a fault in a definition',
      { $defs: { A: { anyOf: [] } } },
      'schema/$defs/A/anyOf must NOT have fewer than 1 items',
    ],
    [
      'with a fault in what is left over',
      { unevaluatedProperties: { title: 1 } },
      'schema/unevaluatedProperties/title must be string',
    ],
    [
      'with a format that is no text',
      { properties: { at: { format: 1 } } },
      'schema/properties/at/format must be string',
    ],
    ['with an encoding that is no text', { contentEncoding: 64 }, 'schema/contentEncoding must be string'],
  ])('refuses a schema %s, and says where', (_what, schema, message) => {
    expect(() => checkedSchema(schema)).toThrow(SyntaxError);
    expect(() => checkedSchema(schema)).toThrow(message);
  });

  it.each<[where: string, schema: JsonSchema]>([
    ['on top', BROKEN],
    ['in a property', { properties: { by: BROKEN } }],
    ['in a property of the name of a keyword whose value is data', { properties: { default: BROKEN } }],
    ['for names of properties', { patternProperties: { '[': {} } }],
    ['in what such a property is', { patternProperties: { '^x': BROKEN } }],
    ['in such a property, under a name like that of a keyword', { patternProperties: { enum: BROKEN } }],
    ['in a definition', { $defs: { Code: BROKEN } }],
    ['in a definition of the name of a keyword', { $defs: { const: BROKEN } }],
    ['in an element', { items: BROKEN }],
    ['in a choice', { anyOf: [{ type: 'number' }, BROKEN] }],
    ['with an escape that only patterns without the flag u allow', { pattern: 'a\\-b' }],
  ])('refuses a regular expression that is none %s', (_where, schema) => {
    expect(() => checkedSchema(schema)).toThrow(/^Invalid regular expression: /);
  });

  it.each<[what: string, schema: JsonSchema]>([
    ['a property called pattern', { properties: { pattern: { type: 'string' } } }],
    [
      'a property called patternProperties',
      { properties: { patternProperties: { $comment: 'a', title: '[' } } },
    ],
    ['a property of which there is no more than a name', { properties: { any: true } }],
    ['a default', { default: BROKEN }],
    ['a constant', { const: BROKEN }],
    ['an enumeration', { enum: [BROKEN] }],
    ['an example', { examples: [BROKEN] }],
    ['a word of somebody else, null', { 'x-note': null }],
    ['a title', { title: '[' }],
  ])('takes %s for no regular expression', (_what, schema) => {
    expect(checkedSchema(schema)).toBe(schema);
  });
});
