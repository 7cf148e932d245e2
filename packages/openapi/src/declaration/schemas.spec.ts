import { Ajv2020 } from 'ajv/dist/2020.js';

import { bodySchemaOf, callThrough, declarationOf, documentWith, EchoApi } from '../echo-api.fixture.js';
import { openApiToolset } from '../openapi.toolset.js';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe('the schema of a body', () => {
  it.each<[string, unknown, object]>([
    ['nullable', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    ['a nullable enum', { type: 'string', nullable: true, enum: ['a'] }, { enum: ['a', null] }],
    [
      'exclusive bounds of 3.0',
      { type: 'number', minimum: 1, exclusiveMinimum: true },
      { exclusiveMinimum: 1 },
    ],
    [
      'bytes',
      { type: 'string', format: 'binary' },
      { contentEncoding: 'base64', description: 'Bytes, as base64.' },
    ],
    ['a default', { type: 'integer', default: 3 }, { type: 'integer', description: 'Default: 3.' }],
    ['a title', { type: 'integer', title: 'Size' }, { description: 'Size' }],
    ['not', { not: { type: 'string' } }, { not: { type: 'string' } }],
    ['types of 3.1', { type: ['string', 'integer', 'null'] }, { type: ['string', 'integer', 'null'] }],
    ['true', true, {}],
  ])('keeps the meaning of %s', async (_what, schema, expected) => {
    expect(await bodySchemaOf(schema)).toMatchObject(expected);
  });

  it('is valid whatever the document has in place of keywords', async () => {
    const schema = await bodySchemaOf({
      type: 'objekt',
      properties: {
        a: { type: ['string', 7], minLength: -1, pattern: '(?<!a', enum: 'x' },
        b: null,
        __proto__x: 5,
      },
      required: true,
      minimum: 'x',
      multipleOf: 0,
      allOf: {},
      items: 7,
      additionalProperties: 'no',
    });

    expect(() => new Ajv2020({ strict: false }).compile(schema)).not.toThrow();
    expect(schema).toEqual({ properties: { a: { type: 'string' }, b: {}, __proto__x: {} } });
  });

  it('has no read-only properties, also where a base declares them', async () => {
    const base = {
      type: 'object',
      properties: { id: { type: 'string', readOnly: true }, secret: { type: 'string', writeOnly: true } },
      required: ['id', 'secret'],
    };

    expect(
      await bodySchemaOf(
        { allOf: [ref('Base'), { properties: { name: {} } }], required: ['id', 'name'] },
        { Base: base },
      ),
    ).toEqual({
      allOf: [{ $ref: '#/$defs/Base' }, { properties: { name: {} } }],
      required: ['name'],
      $defs: { Base: { type: 'object', properties: { secret: { type: 'string' } }, required: ['secret'] } },
    });
  });

  it.each<[string, unknown, object, object]>([
    [
      'a member of its allOf says so',
      { properties: { id: { allOf: [ref('Id'), { readOnly: true }] }, name: {} }, required: ['id', 'name'] },
      { Id: { type: 'string' } },
      { properties: { name: {} }, required: ['name'] },
    ],
    [
      'the schema that a member refers to says so',
      { properties: { id: { allOf: [ref('Id')], description: 'The id.' }, name: {} } },
      { Id: { type: 'string', readOnly: true } },
      { properties: { name: {} } },
    ],
    [
      'another member requires it',
      { allOf: [{ properties: { id: { readOnly: true } } }, { required: ['id', 'name'] }] },
      {},
      { allOf: [{ properties: {} }, { required: ['name'] }] },
    ],
    [
      'a schema that stands elsewhere as well requires it',
      {
        allOf: [{ properties: { id: { readOnly: true } } }, ref('Named')],
        properties: { other: ref('Named') },
      },
      { Named: { properties: { id: {}, name: {} }, required: ['id', 'name'] } },
      {
        allOf: [{ properties: {} }, { $ref: '#/$defs/Named' }],
        properties: { other: { $ref: '#/$defs/Named_2' } },
        $defs: {
          Named: { properties: { name: {} }, required: ['name'] },
          Named_2: { properties: { id: {}, name: {} }, required: ['id', 'name'] },
        },
      },
    ],
    [
      'the schema refers to the one that has it, and requires it',
      { $ref: '#/components/schemas/Base', required: ['id', 'name'] },
      { Base: { properties: { id: { readOnly: true }, name: {} } } },
      { $ref: '#/$defs/Base', required: ['name'], $defs: { Base: { properties: { name: {} } } } },
    ],
  ])('has no read-only property where %s', async (_where, schema, schemas, expected) => {
    expect(await bodySchemaOf(schema, schemas)).toEqual(expected);
  });

  it.each<[string, object, object]>([
    [
      'a URL of an image',
      { type: 'string', format: 'uri', contentMediaType: 'image/png' },
      { format: 'uri' },
    ],
    [
      'an image in base64url',
      { type: 'string', contentEncoding: 'base64url', contentMediaType: 'image/png' },
      { type: 'string' },
    ],
  ])('does not take %s for bytes', async (_what, schema, expected) => {
    expect(await bodySchemaOf(schema)).toEqual({ type: 'string', ...expected });
  });

  it('lists a property that is required and not described', async () => {
    expect(await bodySchemaOf({ properties: { a: {} }, required: ['a', 'b'] })).toEqual({
      properties: { a: {}, b: {} },
      required: ['a', 'b'],
    });
  });

  it('selects the branch of a choice by its discriminator', async () => {
    const schema = await bodySchemaOf(
      {
        oneOf: [ref('Cat'), ref('Dog')],
        discriminator: { propertyName: 'kind', mapping: { feline: '#/components/schemas/Cat' } },
      },
      {
        Cat: { type: 'object', properties: { kind: { type: 'string' } } },
        Dog: { type: 'object', properties: { kind: { type: 'string' } } },
      },
    );
    const validate = new Ajv2020({ strict: false }).compile(schema);

    expect(['feline', 'Dog', 'Cat', 'cow'].map((kind) => validate({ kind }))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('lets a base choose among children that are all of it', async () => {
    const Pet = {
      type: 'object',
      properties: { kind: { type: 'string' } },
      required: ['kind'],
      discriminator: { propertyName: 'kind' },
      oneOf: [ref('Cat'), ref('Dog')],
    };
    const child = (property: string) => ({
      allOf: [ref('Pet'), { required: [property], properties: { [property]: { type: 'boolean' } } }],
    });
    const schema = await bodySchemaOf(ref('Pet'), { Pet, Cat: child('purrs'), Dog: child('barks') });
    const validate = new Ajv2020({ strict: false }).compile(schema);

    expect(validate({ kind: 'Cat', purrs: true })).toBe(true);
    expect(validate({ kind: 'Cat', barks: true })).toBe(false);
    expect(validate({ kind: 'Dog', barks: true })).toBe(true);
  });

  it('removes hidden characters from what the model reads', async () => {
    const { description } = await declarationOf(
      documentWith({ '/a': { get: { summary: 'List\u202e pets\u200b.\u{e0041}\u0007' } } }),
    );

    expect(description).toBe('List pets.');
  });
});

describe('S18 hostile schemas', () => {
  it.each<[string, object]>([
    ['refers to itself', { A: ref('A') }],
    ['is all of itself', { A: { allOf: [ref('B')] }, B: { anyOf: [ref('A'), { type: 'string' }] } }],
    [
      'contains itself',
      { A: { type: 'object', properties: { a: ref('A'), list: { type: 'array', items: ref('A') } } } },
    ],
  ])('a schema that %s is an operation or a typed error, and no endless loop', async (_how, schemas) => {
    const document = documentWith(
      {
        '/good': { get: { operationId: 'good' } },
        '/a': {
          post: { operationId: 'a', requestBody: { content: { 'application/json': { schema: ref('A') } } } },
        },
      },
      { components: { schemas } },
    );
    const toolset = openApiToolset(document, { baseUrl: 'https://api.example.com' });
    const tools = await toolset.listTools();

    expect(tools.length + toolset.skipped.length).toBe(2);
    for (const tool of tools) {
      const validate = new Ajv2020({ strict: false }).compile(
        tool.declaration().parametersJsonSchema as object,
      );
      expect(validate({})).toBe(true);
      if (tool.name === 'a') expect(typeof validate({ body: { a: { a: {} } } })).toBe('boolean');
    }
  });

  it('a pattern that backtracks for ever ends the call, and the API is not called', async () => {
    const api = await EchoApi.start();
    const parameter = { name: 'q', in: 'query', schema: { type: 'string', pattern: '^(a|a)*$' } };
    const toolset = openApiToolset(
      documentWith({ '/q': { get: { operationId: 'find', parameters: [parameter] } } }),
      {
        baseUrl: api.url,
      },
    );

    expect(await callThrough(toolset, 'find', { q: `${'a'.repeat(40)}!` })).toHaveProperty('error');
    expect(api.seen).toEqual([]);
    await api.stop();
  });

  it('a schema of 10 MB is told in less detail, under 100 KB', async () => {
    const wide = (depth: number): object => ({
      type: 'object',
      description: 'x'.repeat(500),
      properties: Object.fromEntries(
        Array.from({ length: 20 }, (_each, index) => [
          `property_${String(index)}`,
          depth === 0 ? { type: 'string', description: 'y'.repeat(1_000) } : wide(depth - 1),
        ]),
      ),
    });
    const schema = wide(2);
    expect(JSON.stringify(schema).length).toBeGreaterThan(8_000_000);

    const declared = await bodySchemaOf(schema);

    expect(JSON.stringify(declared).length).toBeLessThan(100_000);
    expect(declared).toMatchObject({ type: 'object', properties: { property_19: { type: 'object' } } });
  });

  it('the levels that are told in words keep their short enums, and tell of the long ones', async () => {
    const many = Array.from({ length: 200 }, (_each, index) => `value ${String(index)}`);
    const leaf = {
      type: 'object',
      properties: {
        state: { type: 'string', enum: ['open', 'closed'] },
        currency: { allOf: [{ enum: ['EUR', 'USD'] }] },
        code: { type: 'string', enum: many },
      },
    };
    const boxes = Array.from({ length: 60 }, (_each, index) => [
      `box_${String(index)}`,
      { type: 'object', properties: { leaf } },
    ]);
    const declared = JSON.stringify(await bodySchemaOf({ properties: Object.fromEntries(boxes) }));

    expect(declared.length).toBeLessThan(100_000);
    expect(declared).toContain('{"type":"string","enum":["open","closed"]}');
    expect(declared).toContain('One of 2 values: \\"EUR\\", \\"USD\\".');
    expect(declared).toContain('One of 200 values: \\"value 0\\"');
  });

  it('a schema that is nested 20,000 deep, and one that multiplies by references, end', async () => {
    let deep: object = { type: 'string' };
    for (let depth = 0; depth < 20_000; depth++) deep = { type: 'array', items: deep };
    const shared = Array.from({ length: 30 }).reduce<object>(
      (inner) => ({ type: 'object', properties: { a: inner, b: inner } }),
      {},
    );

    for (const schema of [deep, shared])
      expect(JSON.stringify(await bodySchemaOf(schema)).length).toBeLessThan(100_000);
  });
});
