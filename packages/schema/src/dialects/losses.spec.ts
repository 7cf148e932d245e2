import type { Loss } from './conversion/keywords.js';
import { DIALECTS } from './index.js';

describe('the dialects', () => {
  it('are these', () => {
    expect(DIALECTS.map(({ name, title }) => [name, title])).toEqual([
      ['gemini', "Gemini's subset"],
      ['openai', "OpenAI's strict mode"],
      ['json-schema', 'JSON Schema'],
    ]);
  });
});

describe('what a dialect cannot express', () => {
  it('is in the description, or left to the check of the arguments', () => {
    const schema = {
      type: 'object',
      properties: {
        order: { $ref: '#/$defs/Order' },
        when: { type: 'string', format: 'date', description: 'The day.' },
        limits: { type: 'object', additionalProperties: { type: 'integer', multipleOf: 5 } },
      },
      required: ['order'],
      not: { required: ['limits', 'when'] },
      $defs: {
        Order: {
          type: 'object',
          properties: { items: { type: 'array', items: { type: 'number', default: 1 }, uniqueItems: true } },
        },
      },
    };

    expect(lossesOf('gemini', schema)).toEqual([
      ['order.items[]', 'default', 'described'],
      ['order.items', 'uniqueItems', 'described'],
      ['limits.*', 'multipleOf', 'described'],
      ['', 'not', 'unsaid'],
    ]);
    expect(lossesOf('openai', schema)).toEqual([
      ['order.items[]', 'default', 'described'],
      ['order.items', 'uniqueItems', 'described'],
      ['when', 'format', 'described'],
      ['limits', 'additionalProperties', 'undeclarable'],
      ['', 'not', 'unsaid'],
    ]);
    expect(lossesOf('json-schema', schema)).toEqual([]);
  });

  it.each([
    ['a reference that leads nowhere', { $ref: '#/$defs/None' }, '$ref'],
    ['a second union', { anyOf: [{ type: 'string' }], oneOf: [{ minLength: 1 }, { pattern: 'a' }] }, 'oneOf'],
    [
      'alternatives that do not exclude each other',
      { oneOf: [{ type: 'string' }, { enum: ['a'] }] },
      'oneOf',
    ],
    [
      'one of two patterns',
      {
        allOf: [
          { type: 'string', pattern: 'a' },
          { type: 'string', pattern: 'b' },
        ],
      },
      'pattern',
    ],
    [
      'the names of a record',
      { type: 'object', patternProperties: { '^a': { type: 'string' } } },
      'patternProperties',
    ],
    [
      'a cyclic property that must be there',
      {
        $ref: '#/$defs/A',
        $defs: { A: { type: 'object', properties: { a: { $ref: '#/$defs/A' } }, required: ['a'] } },
      },
      'required',
    ],
    [
      'one of two properties that must be there, and is cyclic',
      {
        $ref: '#/$defs/A',
        $defs: {
          A: {
            type: 'object',
            properties: { a: { $ref: '#/$defs/A' }, b: { type: 'string' } },
            required: ['a', 'b'],
          },
        },
      },
      'required',
    ],
    ['a property that must not be there', { type: 'object', properties: { a: false } }, 'properties'],
    ['a condition', { type: 'object', if: { required: ['a'] }, then: { required: ['b'] } }, 'if'],
  ])('is reported where it is %s', (_what, schema, keyword) => {
    expect(lossesOf('gemini', schema).map(([, lost, outcome]) => [lost, outcome])).toContainEqual([
      keyword,
      'unsaid',
    ]);
  });

  it.each([
    ['types', [{ type: 'string' }, { type: 'integer' }, { type: 'null' }]],
    ['values', [{ const: 'a' }, { enum: ['b', 'c'] }]],
    [
      'a property',
      ['a', 'b'].map((kind) => ({
        type: 'object',
        properties: { kind: { const: kind }, [kind]: { type: 'string' } },
        required: ['kind'],
      })),
    ],
  ])('is not oneOf, where its alternatives are told apart by %s', (_what, oneOf) => {
    expect(lossesOf('gemini', { oneOf })).toEqual([]);
  });

  it('is nothing where keywords exclude nothing, or are words', () => {
    expect(
      lossesOf('gemini', {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $comment: 'For people.',
        title: 'T',
        type: 'object',
        deprecated: true,
        properties: { list: { type: 'array', items: true, uniqueItems: false } },
        required: [],
        additionalProperties: true,
      }),
    ).toEqual([]);
  });
});

function lossesOf(name: string, schema: Record<string, unknown>): [string, string, Loss['outcome']][] {
  const losses: Loss[] = [];
  DIALECTS.find((dialect) => dialect.name === name)?.convert(schema, (loss) => losses.push(loss));
  return losses.map(({ path, keyword, outcome }) => [path, keyword, outcome]);
}
