import type { JsonSchema } from './schema-parts.js';
import { SchemaDocument } from './schema-document.js';

const TEXT = { type: 'string' };
const NUMBER = { type: 'number' };
const ROOT: JsonSchema = {
  $defs: {
    Text: TEXT,
    'a/b~c': NUMBER,
    Again: { $ref: '#/$defs/Again' },
    List: [TEXT],
    Cat: kind('cat'),
    Chain: { $ref: '#/$defs/Text' },
    Endless: { allOf: [{ $ref: '#/$defs/Endless' }, { $ref: '#/$defs/Endless' }] },
  },
};

describe('SchemaDocument', () => {
  const document = new SchemaDocument(ROOT);

  it.each<[ref: unknown, found: unknown]>([
    ['#/$defs/Text', TEXT],
    ['#/$defs/a~1b~0c', NUMBER],
    ['#/%24defs/Text', TEXT],
    ['#', ROOT],
    ['#/$defs/None', undefined],
    ['#/$defs/Text/type/length', undefined],
    ['#/$defs/List', undefined],
    ['#Text', undefined],
    ['https://example.com/#/$defs/Text', undefined],
    ['#/$defs/toString', undefined],
    ['#/$defs/__proto__', undefined],
    ['#/$defs/100%', undefined],
    [12, undefined],
  ])('leads %j to where it is, and nowhere else', ($ref, found) => {
    expect(document.targetOf({ $ref })).toEqual(found);
  });

  it.each<[schema: JsonSchema, takesText: boolean]>([
    [{}, true],
    [TEXT, true],
    [{ type: ['number', 'string'] }, true],
    [NUMBER, false],
    [{ $ref: '#/$defs/Text' }, true],
    [{ $ref: '#/$defs/a~1b~0c' }, false],
    [{ $ref: '#/$defs/Again' }, true],
    [{ allOf: [TEXT, {}] }, true],
    [{ allOf: [TEXT, NUMBER] }, false],
    [{ anyOf: [NUMBER, TEXT] }, true],
    [{ oneOf: [NUMBER, TEXT] }, true],
    [{ anyOf: [NUMBER, { type: 'null' }] }, false],
    [{ oneOf: [NUMBER] }, false],
    [{ enum: [1, true] }, false],
    [{ const: 'a' }, true],
    [{ $ref: '#/$defs/Endless' }, true],
  ])('tells whether %j may take a text: %s', (schema, takesText) => {
    expect(document.takes(schema, 'string')).toBe(takesText);
  });

  it.each<[schema: JsonSchema, takesNull: boolean]>([
    [{ enum: ['a', null] }, true],
    [{ enum: ['a'] }, false],
    [{ const: null }, true],
    [{ const: 'a' }, false],
  ])('tells by its values whether %j may take null: %s', (schema, takesNull) => {
    expect(document.takes(schema, 'null')).toBe(takesNull);
  });

  it('lists the types that may fit, integers as numbers', () => {
    const schema = { anyOf: [{ type: 'integer' }, { $ref: '#/$defs/Cat' }, { enum: ['a', null] }] };

    expect(document.typesOf(schema)).toEqual(['number', 'object', 'string', 'null']);
  });

  it('follows chains of references to their end, and stops where one leads back', () => {
    expect(document.resolve({ $ref: '#/$defs/Chain' })).toBe(TEXT);
    expect(document.resolve({ $ref: '#/$defs/Again' })).toEqual({ $ref: '#/$defs/Again' });
    expect(document.resolve(NUMBER)).toBe(NUMBER);
  });

  it('collects the schemas that apply to one value, each once', () => {
    const schema = { allOf: [{ $ref: '#/$defs/Chain' }], anyOf: [NUMBER, { oneOf: [NUMBER] }], items: TEXT };

    expect(document.inPlace(schema)).toEqual(
      new Set([
        schema,
        { $ref: '#/$defs/Chain' },
        NUMBER,
        { oneOf: [NUMBER] },
        { $ref: '#/$defs/Text' },
        TEXT,
      ]),
    );
  });

  it('reaches all schemas inside a schema and behind its references, and no data', () => {
    const schema = {
      properties: { default: { $ref: '#/$defs/Cat' }, const: { not: NUMBER } },
      default: { items: { type: 'null' } },
      $defs: { Unused: {} },
    };

    expect([...document.reachable(schema)]).toEqual([
      schema,
      schema.properties.default,
      schema.properties.const,
      kind('cat'),
      NUMBER,
      { const: 'cat' },
    ]);
  });

  it.each<[what: string, branch: JsonSchema, value: unknown, mayMean: boolean]>([
    ['a literal that it has', kind('cat'), { kind: 'cat', name: 1 }, true],
    ['another literal', kind('cat'), { kind: 'dog' }, false],
    ['none', kind('cat'), { name: 'Tom' }, true],
    ['null in its place', kind('cat'), { kind: null }, true],
    ['what is no literal', { properties: { name: TEXT } }, { name: 1 }, true],
    ['what is no object', kind('cat'), 'cat', true],
    ['anything, of null', { type: 'null' }, { kind: 'cat' }, false],
    ['another, behind a reference', { $ref: '#/$defs/Cat' }, { kind: 'dog' }, false],
  ])('tells by %s whether a branch may be meant', (_what, branch, value, mayMean) => {
    expect(document.mayMean(branch, value)).toBe(mayMean);
  });
});

function kind(value: string): JsonSchema {
  return { type: 'object', properties: { kind: { const: value } } };
}
