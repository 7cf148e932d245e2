import type { JsonSchema } from '@adorn/core';

import { readAs } from './read-as.js';

const ANY: JsonSchema = {};
const TEXT: JsonSchema = { type: 'string' };
const NUMBER: JsonSchema = { type: 'number' };
const REFERENCE: JsonSchema = { $ref: '#/$defs/Order' };

describe('a default or an example of a comment', () => {
  it.each([
    ['JSON of a type that the schema allows', NUMBER, '5', 5],
    ['any JSON, where the schema says no type', ANY, '{"a":[1]}', { a: [1] }],
    ['JSON of what the schema refers to', REFERENCE, '{"id":"1"}', { id: '1' }],
    ['null, where the schema allows it', { type: ['string', 'null'] }, 'null', null],
    ['the text, where it is JSON of another type', TEXT, '42', '42'],
    ['the text, where it is no JSON', TEXT, 'about five', 'about five'],
    ['the text, where the schema says no type', ANY, 'about five', 'about five'],
    ['a text between single quotes', TEXT, "'single'", 'single'],
    ['a text between back quotes, on several lines', TEXT, '`one\ntwo`', 'one\ntwo'],
    ['a text that quotes only end', TEXT, "it is 'so'", "it is 'so'"],
    ['a text that quotes only begin', TEXT, "'so' it is", "'so' it is"],
    ['a text between two sorts of quotes', TEXT, '\'so"', '\'so"'],
    ['what stands in a fence', NUMBER, '```\n5\n```', 5],
    ['what stands in a fence of a language', ANY, '```json\n{\n  "a": 1\n}\n```', { a: 1 }],
    ['a text in a fence, without the space around it', TEXT, '```text\n\n about five \n\n```', 'about five'],
    ['a text with a fence behind it', TEXT, 'Call\n```ts\nrun()\n```', 'Call\n```ts\nrun()\n```'],
    ['a text with a fence before it', TEXT, '```ts\nrun()\n``` or so', '```ts\nrun()\n``` or so'],
    ['what follows a caption', NUMBER, '<caption>Few</caption>\n 5', 5],
    ['what follows a caption of two lines', NUMBER, '<caption>Few\nof them</caption> 5', 5],
    ['a fence that follows a caption', NUMBER, '<caption>Few</caption>\n```\n5\n```', 5],
    ['a text with a caption inside', TEXT, 'a <caption>b</caption>', 'a <caption>b</caption>'],
    ['a text with a second caption', TEXT, '<caption>a</caption>b</caption>', 'b</caption>'],
  ])('is %s', (_what, schema, written, value) => {
    expect(readAs(schema, written)).toEqual({ value });
  });

  it.each([
    ['a text, where the schema allows none', NUMBER, 'about five'],
    ['JSON of a type that the schema does not allow', NUMBER, '"5"'],
    ['null, where the schema allows texts and no null', TEXT, 'null'],
    ['a text, where only what the schema refers to says a type', REFERENCE, 'about five'],
  ])('is no value where it is %s', (_what, schema, written) => {
    expect(readAs(schema, written)).toBeUndefined();
  });
});
