import { TAG_KINDS } from './schema-tags.js';

describe('the text of a tag', () => {
  it.each([
    ['minimum', '-1.5', -1.5],
    ['maximum', '', undefined],
    ['exclusiveMinimum', 'Infinity', undefined],
    ['exclusiveMaximum', 'many', undefined],
    ['multipleOf', '0.1', 0.1],
    ['multipleOf', '0', undefined],
    ['minLength', '0', 0],
    ['maxLength', '-1', undefined],
    ['minItems', '1.5', undefined],
    ['maxItems', '3', 3],
    ['minProperties', '1', 1],
    ['maxProperties', '', undefined],
    ['uniqueItems', '', true],
    ['uniqueItems', 'false', false],
    ['nullable', 'true', true],
    ['nullable', 'yes', undefined],
    ['additionalProperties', 'false', false],
    ['additionalProperties', '{"type":"string"}', { type: 'string' }],
    ['additionalProperties', 'no', undefined],
    ['additionalProperties', '', undefined],
    ['additionalProperties', '1', undefined],
    ['additionalProperties', '[]', undefined],
    ['items', '{"type":"string"}', { type: 'string' }],
    ['items', '[1]', undefined],
    ['items', 'null', undefined],
    ['items', '1', undefined],
    ['items', 'text', undefined],
    ['pattern', '^a$', '^a$'],
    ['pattern', '/^a/', '^a'],
    ['pattern', '/^a/dgu', '^a'],
    ['pattern', '/^a/i', undefined],
    ['pattern', '/^a$/gm', undefined],
    ['pattern', '/a.b/s', undefined],
    ['pattern', '/a/y', undefined],
    ['pattern', '/[a--b]/v', undefined],
    ['pattern', '/a\n/b/', 'a\n/b'],
    ['pattern', '/orders/open', '/orders/open'],
    ['pattern', 'a/orders/', 'a/orders/'],
    ['pattern', '//', undefined],
    ['pattern', '(', undefined],
    ['pattern', '\\-', undefined],
    ['pattern', '', undefined],
    ['format', 'email', 'email'],
    ['format', '', undefined],
    ['title', 'An order', 'An order'],
    ['asType', '{integer}', 'integer'],
    ['asType', 'string', 'string'],
    ['asType', 'number', 'number'],
    ['asType', 'boolean', 'boolean'],
    ['asType', 'array', 'array'],
    ['asType', 'object', 'object'],
    ['asType', 'null', 'null'],
    ['asType', 'date', undefined],
    ['asType', 'int{eger}', undefined],
    ['asType', '{inte}ger', undefined],
    ['asType', '{integer} or so', undefined],
    ['enum', '["a",1]', ['a', 1]],
    ['enum', '[]', undefined],
    ['enum', 'a', undefined],
  ])('of @%s %j is read as %j', (tag, text, value) => {
    expect(TAG_KINDS[tag]?.read(text)).toEqual(value);
  });

  it.each([
    ['minimum', 'a number'],
    ['multipleOf', 'a number above 0'],
    ['maxLength', 'a whole number from 0'],
    ['uniqueItems', 'true, false or nothing'],
    ['nullable', 'true, false or nothing'],
    ['additionalProperties', 'true, false or a schema'],
    ['items', 'a schema in JSON'],
    ['pattern', 'a regular expression without flags'],
    ['format', 'a text'],
    ['title', 'a text'],
    ['asType', 'a type of JSON'],
    ['enum', 'a list in JSON'],
  ])('of @%s has to be %s', (tag, wanted) => {
    expect(TAG_KINDS[tag]?.wanted).toBe(wanted);
  });

  it('is the whole line of what may hold spaces, and one word of the others', () => {
    expect(Object.keys(TAG_KINDS).filter((tag) => TAG_KINDS[tag]?.isLine)).toEqual([
      ...['items', 'pattern', 'title', 'enum', 'const', 'default', 'examples'],
    ]);
  });

  it('is of one type of JSON, of which its value speaks', () => {
    const about = (type: string): string[] =>
      Object.keys(TAG_KINDS).filter((tag) => TAG_KINDS[tag]?.of === type);

    expect(about('string')).toEqual(['minLength', 'maxLength', 'pattern']);
    expect(about('array')).toEqual(['minItems', 'maxItems', 'uniqueItems', 'items']);
    expect(about('object')).toEqual(['minProperties', 'maxProperties', 'additionalProperties']);
    expect(about('number')).toHaveLength(5);
  });
});
