import { toGeminiSchema } from './gemini-schema.js';

const A_STRING = { type: 'string' };

describe('toGeminiSchema', () => {
  it('passes on what the subset has', () => {
    const schema = {
      type: 'object',
      description: 'An order.',
      properties: {
        id: { type: 'string', description: 'Its number.', enum: ['a', 'b'] },
        cents: { type: 'integer', minimum: 1, maximum: 9 },
        tags: { type: 'array', items: A_STRING, minItems: 1, maxItems: 3 },
        when: { type: 'string', format: 'date-time' },
      },
      required: ['id', 'cents'],
      additionalProperties: false,
    };

    expect(toGeminiSchema(schema)).toEqual(schema);
  });

  it('puts references in place, the words beside them over the words of the target', () => {
    expect(
      toGeminiSchema({
        type: 'object',
        properties: {
          home: { $ref: '#/$defs/Address', description: 'Where they live.' },
          work: { $ref: '#/definitions/a~1b' },
        },
        $defs: { Address: { ...A_STRING, description: 'An address.' } },
        definitions: { 'a/b': { type: 'number' } },
      }),
    ).toEqual({
      type: 'object',
      properties: { home: { ...A_STRING, description: 'Where they live.' }, work: { type: 'number' } },
    });
  });

  it('keeps cyclic references, alone and only in properties that are not required', () => {
    const node = {
      type: 'object',
      properties: { name: A_STRING, children: { type: 'array', items: { $ref: '#/$defs/Node' } } },
      required: ['name', 'children'],
    };
    const finite = {
      type: 'object',
      properties: { name: A_STRING, children: { type: 'array', items: { $ref: '#/$defs/Node' } } },
      required: ['name'],
    };

    expect(
      toGeminiSchema({
        type: 'object',
        properties: { tree: { $ref: '#/$defs/Node', description: 'The tree.' } },
        required: ['tree'],
        $defs: { Node: node, Unused: A_STRING },
      }),
    ).toEqual({
      type: 'object',
      properties: { tree: { ...finite, description: 'The tree.' } },
      required: ['tree'],
      $defs: { Node: finite },
    });
  });

  it('keeps two that refer to each other finite', () => {
    const schema = toGeminiSchema({
      $ref: '#/$defs/A',
      $defs: {
        A: { type: 'object', properties: { b: { $ref: '#/$defs/B' } }, required: ['b'] },
        B: { type: 'object', properties: { a: { $ref: '#/$defs/A' } }, required: ['a'] },
      },
    });

    expect(schema).toEqual({
      type: 'object',
      properties: { b: { $ref: '#/$defs/B' } },
      $defs: {
        B: { type: 'object', properties: { a: { $ref: '#/$defs/A' } } },
        A: { type: 'object', properties: { b: { $ref: '#/$defs/B' } } },
      },
    });
  });

  it('leaves references where putting them in place would grow beyond measure', () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [
        `D${String(index)}`,
        {
          type: 'object',
          properties: {
            l: { $ref: `#/$defs/D${String(index + 1)}` },
            r: { $ref: `#/$defs/D${String(index + 1)}` },
          },
          required: ['l'],
        },
      ]),
    );
    const schema = toGeminiSchema({
      type: 'object',
      properties: { d: { $ref: '#/$defs/D0' } },
      $defs: { ...doubling, D30: A_STRING },
    });

    expect(JSON.stringify(schema).length).toBeLessThan(10_000);
    expect(schema).toMatchObject({
      properties: { d: { $ref: '#/$defs/D0' } },
      $defs: { D0: { required: ['l'] }, D30: A_STRING },
    });
  });

  it('lets go of references that lead nowhere, or out of the document', () => {
    expect(
      toGeminiSchema({
        type: 'object',
        properties: { a: { $ref: '#/$defs/None', description: 'A.' }, b: { $ref: 'https://a.b/c' } },
      }),
    ).toEqual({ type: 'object', properties: { a: { description: 'A.' }, b: {} } });
  });

  it.each([
    ['const', { const: 'a' }, { type: 'string', enum: ['a'] }],
    ['a boolean const', { const: true }, { type: 'boolean', description: '(enum: [true])' }],
    ['an enum without a type', { enum: [1, 2.5] }, { type: 'number', enum: [1, 2.5] }],
    [
      'an enum with null',
      { enum: ['a', null] },
      { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
    ],
    ['a tuple of old', { items: [A_STRING, {}] }, { type: 'array', prefixItems: [A_STRING, {}] }],
    [
      'a closed tuple',
      { type: 'array', prefixItems: [A_STRING], items: false },
      { type: 'array', prefixItems: [A_STRING], maxItems: 1 },
    ],
    ['oneOf', { oneOf: [A_STRING, { type: 'null' }] }, { anyOf: [A_STRING, { type: 'null' }] }],
    ['nullable', { type: 'string', nullable: true }, { anyOf: [A_STRING, { type: 'null' }] }],
    [
      'several types',
      { type: ['string', 'integer', 'null'], description: 'D.', minimum: 1, pattern: '^a' },
      {
        description: 'D.',
        anyOf: [
          { type: 'string', description: '(pattern: ^a)' },
          { type: 'integer', minimum: 1 },
          { type: 'null' },
        ],
      },
    ],
    ['one type in a list', { type: ['string'] }, A_STRING],
    [
      'pattern properties',
      { type: 'object', patternProperties: { '^a': A_STRING } },
      { type: 'object', additionalProperties: A_STRING },
    ],
    ['no type but properties', { properties: {} }, { type: 'object', properties: {} }],
    ['what validation alone can hold', { type: 'string', not: { const: 'a' }, if: {} }, A_STRING],
  ])('rewrites %s', (_what, schema, expected) => {
    expect(toGeminiSchema(schema)).toEqual(expected);
  });

  it('tells in the description what it cannot say', () => {
    expect(
      toGeminiSchema({
        type: 'string',
        description: 'Order number.',
        pattern: '^W\\d+$',
        minLength: 2,
        default: 'W1',
      }),
    ).toEqual({
      type: 'string',
      description: 'Order number. (default: "W1"; pattern: ^W\\d+$; minLength: 2)',
    });
    expect(toGeminiSchema({ type: 'boolean', default: false })).toEqual({
      type: 'boolean',
      description: '(default: false)',
    });
  });

  it('merges allOf, also through references and into shared properties', () => {
    expect(
      toGeminiSchema({
        description: 'Both.',
        allOf: [
          { $ref: '#/$defs/A' },
          { type: 'object', properties: { n: { maximum: 9 }, c: A_STRING }, required: ['c'] },
        ],
        properties: { d: A_STRING },
        $defs: { A: { type: 'object', properties: { n: { type: 'number', minimum: 1 } }, required: ['n'] } },
      }),
    ).toEqual({
      type: 'object',
      description: 'Both.',
      properties: { n: { type: 'number', minimum: 1, maximum: 9 }, c: A_STRING, d: A_STRING },
      required: ['n', 'c'],
    });
  });

  it('requires only what is a property', () => {
    expect(
      toGeminiSchema({ type: 'object', properties: { a: true, b: false }, required: ['a', 'b', 'c'] }),
    ).toEqual({
      type: 'object',
      properties: { a: {} },
      required: ['a'],
    });
  });

  it('does not take data for schemas, nor a property called $ref for a reference', () => {
    expect(
      toGeminiSchema({
        type: 'object',
        default: { $ref: '#/nowhere' },
        properties: { $ref: A_STRING, enum: { type: 'number' } },
      }),
    ).toEqual({
      type: 'object',
      description: '(default: {"$ref":"#/nowhere"})',
      properties: { $ref: A_STRING, enum: { type: 'number' } },
    });
  });

  it('converts a schema once', () => {
    const schema = { type: 'object', properties: {} };

    expect(toGeminiSchema(schema)).toBe(toGeminiSchema(schema));
  });
});
