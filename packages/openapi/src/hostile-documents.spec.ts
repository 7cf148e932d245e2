import { AdornError } from '@adorn/core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';

import { documentWith } from './echo-api.fixture.js';
import { openApiToolset } from './openapi.toolset.js';

const SOUND = documentWith(
  {
    '/a/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      servers: [
        {
          url: 'https://{host}',
          variables: { host: { default: 'api.example.com', enum: ['api.example.com'] } },
        },
      ],
      put: {
        operationId: 'putA',
        tags: ['x'],
        security: [{ key: [] }, {}],
        parameters: [
          {
            name: 'q',
            in: 'query',
            style: 'form',
            explode: true,
            content: { 'application/json': { schema: {} } },
          },
        ],
        requestBody: {
          content: {
            'multipart/form-data': {
              schema: { $ref: '#/components/schemas/A' },
              encoding: { a: { style: 'form' } },
            },
          },
        },
      },
    },
  },
  {
    servers: [{ url: 'https://api.example.com' }],
    components: {
      securitySchemes: {
        key: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://a', scopes: {} } } },
      },
      schemas: {
        A: {
          allOf: [{ $ref: '#/components/schemas/B' }],
          oneOf: [
            { type: 'object', properties: { a: { enum: [1], nullable: true, minimum: 1 } }, required: ['a'] },
          ],
          discriminator: { propertyName: 'a', mapping: { x: '#/components/schemas/B' } },
          additionalProperties: false,
        },
        B: { type: 'array', items: { $ref: '#/components/schemas/A' } },
      },
    },
  },
);

/** The places of a document, as paths of keys. */
const PLACES = placesIn(SOUND);

const ODD = fc.oneof(
  fc.constantFrom<unknown>(null, true, 7, -1, '', 'x', [], {}, [null], ['a', 'a'], '__proto__', {
    $ref: '#',
  }),
  fc.constantFrom<unknown>(
    { $ref: '#/components/schemas/A' },
    { $ref: 'file:///etc/passwd' },
    { $ref: 5 },
    { __proto__: null },
  ),
  fc.jsonValue({ maxDepth: 2 }),
);

describe('a hostile document', () => {
  it('makes tools that can be declared, or typed errors, whatever stands at any of its places', async () => {
    const change = fc.tuple(fc.constantFrom(...PLACES), ODD);
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const document = changes.reduce((changed, [place, value]) => withValue(changed, place, value), SOUND);
        const toolset = openApiToolset(document);
        try {
          for (const tool of await toolset.listTools())
            compiled(tool.declaration().parametersJsonSchema as object);
          for (const error of toolset.skipped) expect(error.code).toBe('OPENAPI_OPERATION_UNSUPPORTED');
        } catch (error) {
          if (!AdornError.is(error)) throw error;
        }
      }),
      { numRuns: 150 },
    );
  });

  it.each<[string, object]>([
    [
      'names of a megabyte',
      { paths: { [`/${'A'.repeat(1_000_000)}`]: { get: { operationId: 'A'.repeat(1_000_000) } } } },
    ],
    [
      'a thousand operations of one name',
      {
        paths: Object.fromEntries(
          Array.from({ length: 1_000 }, (_each, index) => [
            `/${String(index)}`,
            { get: { operationId: 'a' } },
          ]),
        ),
      },
    ],
    [
      'a thousand parameters of one name',
      {
        paths: {
          '/a': {
            get: {
              parameters: Array.from({ length: 1_000 }, (_each, index) => ({
                name: `a${'!'.repeat(index)}`,
                in: 'query',
              })),
            },
          },
          '/b': { get: {} },
        },
      },
    ],
    [
      'bases that multiply',
      {
        paths: {
          '/a': {
            post: {
              requestBody: {
                content: { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } },
              },
            },
          },
        },
        components: {
          schemas: Object.fromEntries(
            Array.from({ length: 12 }, (_each, index) => [
              `S${String(index)}`,
              {
                properties: {},
                allOf: Array.from({ length: 20 }, () => ({
                  $ref: `#/components/schemas/S${String((index + 1) % 12)}`,
                })),
              },
            ]),
          ),
        },
      },
    ],
  ])('with %s is read to its end', async (_what, parts) => {
    const tools = await openApiToolset(
      { openapi: '3.1.0', ...parts },
      { baseUrl: 'https://api.example.com' },
    ).listTools();

    expect(tools.length).toBeGreaterThan(0);
    for (const tool of tools.slice(0, 3)) compiled(tool.declaration().parametersJsonSchema as object);
  });

  it('with more than 2,000 operations needs a choice', async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 2_001 }, (_each, index) => [`/${String(index)}`, { get: {} }]),
    );

    await expect(openApiToolset(documentWith(paths), { baseUrl: 'https://a' }).listTools()).rejects.toThrow(
      'it has 2001 operations, and no more than 2000 can be tools. Choose some with only or except.',
    );
  });

  it('with a thousand nested bases of bases, and objects in a circle, ends', async () => {
    const circle: Record<string, unknown> = { type: 'object' };
    circle['properties'] = { self: circle };
    circle['allOf'] = [circle];
    const paths = {
      '/a': { post: { requestBody: { content: { 'application/json': { schema: circle } } } } },
    };

    expect(await openApiToolset(documentWith(paths), { baseUrl: 'https://a' }).listTools()).toHaveLength(1);
  });
});

function compiled(schema: object): void {
  expect(JSON.stringify(schema).length).toBeLessThan(100_000);
  new Ajv2020({ strict: false, logger: false }).compile(schema);
}

function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, part]) => placesIn(part, [...path, key]));
  return path.length === 0 ? inner : [path, ...inner];
}

function withValue(value: unknown, [key, ...rest]: readonly string[], added: unknown): object {
  const fields = typeof value === 'object' && value !== null ? value : {};
  const part = key === undefined ? undefined : (fields as Record<string, unknown>)[key];
  const inner = rest.length === 0 ? added : withValue(part, rest, added);
  if (!Array.isArray(fields)) return { ...fields, [String(key)]: inner };
  return fields.map((one: unknown, index) => (String(index) === key ? inner : one));
}
