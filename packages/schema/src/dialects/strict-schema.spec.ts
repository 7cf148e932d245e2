import { toStrictSchema } from './strict-schema.js';

const A_STRING = { type: 'string' };

describe('toStrictSchema', () => {
  it('requires every property, and lets those be null that may be left out', () => {
    expect(
      toStrictSchema({
        type: 'object',
        properties: {
          id: { type: 'string', description: 'Its number.' },
          unit: { type: 'string', enum: ['kg', 'lb'] },
          count: { type: ['integer', 'null'] },
          size: { anyOf: [A_STRING, { type: 'number' }] },
          tags: { type: 'array', items: A_STRING, description: 'Tags.' },
          only: { const: 'a' },
        },
        required: ['id'],
        additionalProperties: false,
      }),
    ).toEqual({
      type: 'object',
      properties: {
        id: { type: 'string', description: 'Its number.' },
        unit: { type: ['string', 'null'], enum: ['kg', 'lb', null] },
        count: { type: ['integer', 'null'] },
        size: { anyOf: [A_STRING, { type: 'number' }, { type: 'null' }] },
        tags: { type: ['array', 'null'], items: A_STRING, description: 'Tags.' },
        only: { type: ['string', 'null'], enum: ['a', null] },
      },
      required: ['id', 'unit', 'count', 'size', 'tags', 'only'],
      additionalProperties: false,
    });
  });

  it('closes objects at every depth, and needs no property at all', () => {
    expect(
      toStrictSchema({
        type: 'object',
        properties: { a: { type: 'object', properties: { b: A_STRING }, required: ['b'] } },
        required: ['a'],
      }),
    ).toMatchObject({ properties: { a: { required: ['b'], additionalProperties: false } } });
    expect(toStrictSchema({ type: 'object', properties: {}, additionalProperties: false })).toEqual({
      type: 'object',
      properties: {},
      required: [],
      additionalProperties: false,
    });
  });

  it('keeps references, cyclic ones too, with nothing beside them', () => {
    const node = {
      type: 'object',
      properties: { name: A_STRING, next: { $ref: '#/$defs/Node', description: 'The next.' } },
      required: ['name'],
    };

    expect(
      toStrictSchema({
        type: 'object',
        properties: { first: { $ref: '#/$defs/Node' }, last: { $ref: '#/$defs/Node' } },
        required: ['first'],
        $defs: { Node: node, Unused: A_STRING },
      }),
    ).toEqual({
      type: 'object',
      properties: {
        first: { $ref: '#/$defs/Node' },
        last: { anyOf: [{ $ref: '#/$defs/Node' }, { type: 'null' }] },
      },
      required: ['first', 'last'],
      additionalProperties: false,
      $defs: {
        Node: {
          type: 'object',
          properties: {
            name: A_STRING,
            next: { description: 'The next.', anyOf: [{ $ref: '#/$defs/Node' }, { type: 'null' }] },
          },
          required: ['name', 'next'],
          additionalProperties: false,
        },
      },
    });
  });

  it('puts the top in place, where it is a reference', () => {
    expect(
      toStrictSchema({ $ref: '#/$defs/A', $defs: { A: { type: 'object', properties: { a: A_STRING } } } }),
    ).toEqual({
      type: 'object',
      properties: { a: { type: ['string', 'null'] } },
      required: ['a'],
      additionalProperties: false,
    });
  });

  it.each([
    ['oneOf', { oneOf: [A_STRING, { type: 'null' }] }, { type: ['string', 'null'] }],
    [
      'several types',
      { type: ['string', 'integer'], minimum: 1 },
      { anyOf: [A_STRING, { type: 'integer', description: '(minimum: 1)' }] },
    ],
    ['an enum with null', { enum: ['a', null] }, { type: ['string', 'null'], enum: ['a', null] }],
    [
      'allOf',
      {
        allOf: [{ $ref: '#/$defs/A' }, { type: 'object', properties: { b: A_STRING }, required: ['b'] }],
      },
      {
        type: 'object',
        properties: { a: A_STRING, b: A_STRING },
        required: ['a', 'b'],
        additionalProperties: false,
      },
    ],
    ['a reference wrapped in allOf', { allOf: [{ $ref: '#/$defs/A' }] }, { $ref: '#/$defs/A' }],
    [
      'what stands beside alternatives',
      {
        description: 'D.',
        type: 'object',
        properties: { kind: A_STRING },
        required: ['kind'],
        anyOf: [
          { properties: { a: A_STRING }, required: ['a'] },
          { properties: { b: A_STRING }, required: ['b'] },
        ],
      },
      {
        description: 'D.',
        anyOf: ['a', 'b'].map((name) => ({
          type: 'object',
          properties: { kind: A_STRING, [name]: A_STRING },
          required: ['kind', name],
          additionalProperties: false,
        })),
      },
    ],
    [
      'what strict mode has no keyword for',
      { type: 'string', title: 'T', description: 'Number.', pattern: '^W', format: 'email', default: 'W1' },
      { type: 'string', description: 'Number. (default: "W1"; pattern: ^W; format: email)' },
    ],
  ])('rewrites %s', (_what, schema, expected) => {
    const whole = {
      type: 'object',
      properties: { x: schema },
      required: ['x'],
      $defs: { A: { type: 'object', properties: { a: A_STRING }, required: ['a'] } },
    };

    expect(toStrictSchema(whole)?.['properties']).toEqual({ x: expected });
  });

  it.each([
    ['a record', { type: 'object', additionalProperties: A_STRING }, 'additionalProperties', A_STRING],
    ['any object', { type: 'object' }, 'additionalProperties', true],
    [
      'a record by pattern',
      { type: 'object', patternProperties: { '^a': A_STRING } },
      'additionalProperties',
      A_STRING,
    ],
    ['a tuple', { type: 'array', prefixItems: [A_STRING] }, 'prefixItems', [A_STRING]],
    ['anything', {}, 'type', undefined],
    ['anything, said by true', true, 'type', undefined],
    ['no alternative', { anyOf: [] }, 'anyOf', []],
  ])('cannot express %s', (_what, schema, keyword, value) => {
    const losses: unknown[] = [];
    const whole = { type: 'object', properties: { x: { type: 'array', items: schema } }, required: ['x'] };

    expect(toStrictSchema(whole, (loss) => losses.push(loss))).toBeUndefined();
    expect(losses).toContainEqual({
      path: 'x[]',
      keyword,
      ...(value !== undefined && { value }),
      outcome: 'undeclarable',
    });
    expect(toStrictSchema(whole)).toBeUndefined();
  });

  it.each([
    ['alternatives', { anyOf: [{ type: 'object', properties: {} }, A_STRING] }, 'anyOf'],
    ['no object', A_STRING, 'type'],
  ])('cannot express arguments that are %s', (_what, schema, keyword) => {
    const losses: unknown[] = [];

    expect(toStrictSchema(schema, (loss) => losses.push(loss))).toBeUndefined();
    expect(losses).toMatchObject([{ path: '', keyword, outcome: 'undeclarable' }]);
  });

  it('takes a property that must be there, and of which nothing is said, for anything', () => {
    expect(toStrictSchema({ type: 'object', properties: {}, required: ['a'] })).toBeUndefined();
  });

  it('converts a schema once', () => {
    const schema = { type: 'object', properties: {} };

    expect(toStrictSchema(schema)).toBe(toStrictSchema(schema));
  });
});
