import { describeHints, hintsOf } from './keywords.js';

const ALL = {
  examples: ['a'],
  contentMediaType: 'text/plain',
  contentEncoding: 'base64',
  uniqueItems: true,
  maxProperties: 2,
  minProperties: 1,
  maxItems: 2,
  minItems: 1,
  exclusiveMaximum: 10,
  exclusiveMinimum: 0,
  multipleOf: 5,
  maximum: 9,
  minimum: 1,
  maxLength: 2,
  minLength: 1,
  format: 'email',
  pattern: '^a',
  default: 'a',
  enum: ['a'],
};

describe('hints', () => {
  it('tell a model of each keyword that it can heed, in one order', () => {
    expect(describeHints(ALL, hintsOf(ALL, new Set()))).toBe(
      '(enum: ["a"]; default: "a"; pattern: ^a; format: email; minLength: 1; maxLength: 2; minimum: 1; ' +
        'maximum: 9; multipleOf: 5; exclusiveMinimum: 0; exclusiveMaximum: 10; minItems: 1; maxItems: 2; ' +
        'uniqueItems: true; minProperties: 1; maxProperties: 2; examples: ["a"]; contentEncoding: "base64"; ' +
        'contentMediaType: "text/plain")',
    );
  });

  it('leave out what the dialect says by itself, and what no model can heed', () => {
    expect(hintsOf({ minimum: 1, maximum: 2, not: {} }, new Set(['minimum']))).toEqual(['maximum']);
  });

  it.each([
    [{ description: 'D.' }, 'D.'],
    [{ description: 'D.', minimum: 1 }, 'D. (minimum: 1)'],
    [{ description: 7, minimum: 1 }, '(minimum: 1)'],
    [{ pattern: ['a'] }, '(pattern: ["a"])'],
    [{ description: '' }, undefined],
    [{}, undefined],
  ])('stand behind the description of %j', (schema, said) => {
    expect(describeHints(schema, hintsOf(schema, new Set()))).toBe(said);
  });
});
