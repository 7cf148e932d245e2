import type { JsonSchema } from '../json-schema.js';
import { SchemaView } from './schema-view.js';

const TEXT = { type: 'string' };
const NUMBER = { type: 'number' };
const ROOT: JsonSchema = {
  $defs: { Text: TEXT, 'a/b~c': NUMBER, Again: { $ref: '#/$defs/Again' }, List: [TEXT], Cat: kind('cat') },
};

describe('SchemaView', () => {
  const view = new SchemaView(ROOT);

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
    [12, undefined],
  ])('leads %j to where it is, and nowhere else', ($ref, found) => {
    expect(view.resolve({ $ref })).toEqual(found);
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
  ])('tells whether %j may take a text: %s', (schema, takesText) => {
    expect(view.takes(schema, 'string')).toBe(takesText);
  });

  it.each<[schema: JsonSchema, takesNull: boolean]>([
    [{ enum: ['a', null] }, true],
    [{ enum: ['a'] }, false],
    [{ const: null }, true],
    [{ const: 'a' }, false],
  ])('tells by its values whether %j may take null: %s', (schema, takesNull) => {
    expect(view.takes(schema, 'null')).toBe(takesNull);
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
    expect(view.mayMean(branch, value)).toBe(mayMean);
  });
});

function kind(value: string): JsonSchema {
  return { type: 'object', properties: { kind: { const: value } } };
}
