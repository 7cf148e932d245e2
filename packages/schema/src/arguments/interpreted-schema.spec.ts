import { schemaCompiler, type Validate } from './ajv.js';
import { describeProblems } from './describe-problems.js';
import { schemaInterpreter } from './interpreted-schema.js';
import type { JsonSchema } from '../reader/schema-parts.js';

const ORDER: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'string', pattern: '^[A-Z]-\\d+$', minLength: 3, maxLength: 5, examples: ['A-17'] },
    count: { type: 'integer', minimum: 1, exclusiveMaximum: 10, multipleOf: 2 },
    by: { type: 'string', format: 'date-time' },
    status: { enum: ['open', 'shipped'] },
    kind: { const: 'order' },
    note: { type: ['string', 'null'] },
    lines: { type: 'array', items: { $ref: '#/$defs/line' }, minItems: 1, maxItems: 2 },
    'odd/name ~%': { type: 'boolean' },
    extra: { not: { type: 'string' }, minProperties: 1 },
    either: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/line' }] },
  },
  required: ['id'],
  additionalProperties: false,
  $defs: {
    line: {
      type: 'object',
      properties: { sku: { type: 'string' }, inner: { $ref: '#/$defs/line' } },
      required: ['sku'],
      unevaluatedProperties: false,
    },
  },
};

describe('a schema that is interpreted', () => {
  it.each<[string, unknown]>([
    ['nothing wrong', { id: 'A-1', count: 2, lines: [{ sku: 'a', inner: { sku: 'b' } }], note: null }],
    ['a missing property', {}],
    ['a property that does not exist', { id: 'A-1', stats: 'open', 'a "b"': 1 }],
    ['a name that is not its own', { id: 'A-1', toString: 1, constructor: 2 }],
    ['other types', { id: 7, count: '2', note: 1, lines: {}, either: 3 }],
    ['strings', { id: 'x', status: 'sent', kind: 'none', by: 'tomorrow' }],
    ['a string that is too long', { id: 'A-12345' }],
    ['numbers', { id: 'A-1', count: 11 }],
    ['a number that is too small', { id: 'A-1', count: 0.5 }],
    ['lists', { id: 'A-1', lines: [] }],
    [
      'places behind references',
      { id: 'A-1', lines: [{ sku: 1, inner: { sku: 'b', skuu: 1 } }, {}, { sku: 'c' }] },
    ],
    ['names with characters of pointers', { id: 'A-1', 'odd/name ~%': 1 }],
    ['what must not be', { id: 'A-1', extra: 'text' }],
    ['too few properties', { id: 'A-1', extra: {} }],
    ['a branch of a union', { id: 'A-1', either: { sku: 1 } }],
    ['no object', 'text'],
  ])('gives the problems that Ajv gives for %s', async (_what, value) => {
    const [generated, interpreted] = [
      (await schemaCompiler(ORDER))(),
      (await schemaInterpreter('2020-12'))(ORDER),
    ];

    expect(problemsOf(interpreted, value)).toEqual(problemsOf(generated, value));
  });

  it('says something where a schema allows no value', async () => {
    const validate = (await schemaInterpreter('2020-12'))({
      type: 'object',
      properties: { a: false },
    });

    expect(problemsOf(validate, { a: 1 })).toEqual(['a is not allowed, and is nothing']);
  });

  it('leaves the schema as it is', async () => {
    const before = JSON.stringify(ORDER);

    problemsOf((await schemaInterpreter('2020-12'))(ORDER), {});

    expect(JSON.stringify(ORDER)).toBe(before);
  });
});

function problemsOf(validate: Validate, value: unknown): string[] {
  return validate(value) ? [] : [...describeProblems(validate.errors ?? [])].sort();
}
