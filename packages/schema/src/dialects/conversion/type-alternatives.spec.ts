import { typeAlternatives } from './plain-keywords.js';

const WORDS = { title: 'T', description: 'D.', default: 1, examples: [1] };
const ARRAY = { items: {}, prefixItems: [{}], minItems: 1, maxItems: 2, uniqueItems: true };
const OBJECT = {
  properties: {},
  required: ['a'],
  additionalProperties: false,
  propertyOrdering: ['a'],
  minProperties: 1,
  maxProperties: 2,
};
const NUMBER = { minimum: 1, maximum: 3, exclusiveMinimum: 0, exclusiveMaximum: 4, multipleOf: 1 };
const STRING = {
  pattern: 'a',
  minLength: 1,
  maxLength: 2,
  contentEncoding: 'base64',
  contentMediaType: 'text/plain',
};
const format = 'date';
const not = { const: 2 };

describe('typeAlternatives', () => {
  it('says of each type what is about it, of all what is about any, and the words once', () => {
    const types = ['array', 'object', 'number', 'integer', 'string', 'boolean', 'null'];

    expect(
      typeAlternatives(
        { ...WORDS, ...ARRAY, ...OBJECT, ...NUMBER, ...STRING, format, not, type: types },
        types,
      ),
    ).toEqual({
      ...WORDS,
      anyOf: [
        { type: 'array', ...ARRAY, not },
        { type: 'object', ...OBJECT, not },
        { type: 'number', ...NUMBER, format, not },
        { type: 'integer', ...NUMBER, format, not },
        { type: 'string', ...STRING, format, not },
        { type: 'boolean', not },
        { type: 'null' },
      ],
    });
  });

  it('gives each type its own of the allowed values', () => {
    const types = ['number', 'integer', 'string', 'array', 'null'];

    expect(typeAlternatives({ enum: [1, 1.5, 'a', [1], null] }, types)['anyOf']).toEqual([
      { type: 'number', enum: [1, 1.5] },
      { type: 'integer', enum: [1] },
      { type: 'string', enum: ['a'] },
      { type: 'array', enum: [[1]] },
      { type: 'null' },
    ]);
  });
});
