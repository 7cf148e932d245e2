import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openApiToolset } from '../index.js';

type Json = Record<string, unknown>;

/** One operation that uses all that an operation may be made of. */
const DOCUMENT: Json = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://{region}.example.com', variables: { region: { default: 'eu' } } }],
  security: [{ key: [] }],
  tags: [{ name: 'pets' }],
  paths: {
    '/pets/{petId}': {
      summary: 'One pet.',
      parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'integer' } }],
      post: {
        operationId: 'changePet',
        tags: ['pets'],
        description: 'Changes a pet.',
        parameters: [
          { name: 'verbose', in: 'query', schema: { type: 'string', enum: ['yes', 'no'] } },
          { name: 'filter', in: 'query', content: { 'application/json': { schema: { type: 'object' } } } },
        ],
        requestBody: {
          required: true,
          content: {
            'application/x-www-form-urlencoded': {
              encoding: { tags: { style: 'form', explode: false } },
              schema: {
                type: 'object',
                required: ['name'],
                properties: { name: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
                allOf: [{ properties: { age: { type: 'integer' } } }],
              },
            },
          },
        },
        responses: { 200: { description: 'Done.', headers: {}, content: {} } },
      },
    },
  },
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-key' } }, schemas: {} },
};

/** Places at which documents in several files have references, as JSON pointers. */
const OPERATION = '/paths/~1pets~1{petId}/post';
const BODY = `${OPERATION}/requestBody`;
const MEDIA = `${BODY}/content/application~1x-www-form-urlencoded`;
const PLACES = [
  ...['/paths', '/paths/~1pets~1{petId}', '/paths/~1pets~1{petId}/parameters', OPERATION],
  ...['/paths/~1pets~1{petId}/parameters/0', `${OPERATION}/parameters`, `${OPERATION}/parameters/1`],
  ...[`${OPERATION}/parameters/1/content`, `${OPERATION}/parameters/1/content/application~1json`],
  ...[`${OPERATION}/parameters/0/schema`, `${OPERATION}/parameters/0/schema/enum`, `${OPERATION}/tags`],
  ...[BODY, `${BODY}/content`, MEDIA, `${MEDIA}/encoding`, `${MEDIA}/encoding/tags`, `${MEDIA}/schema`],
  ...[`${MEDIA}/schema/required`, `${MEDIA}/schema/properties`, `${MEDIA}/schema/properties/tags`],
  ...[`${MEDIA}/schema/allOf`, `${MEDIA}/schema/allOf/0`, `${MEDIA}/schema/allOf/0/properties`],
  ...['/servers', '/servers/0', '/servers/0/variables', '/servers/0/variables/region'],
  ...[
    '/security',
    '/security/0',
    '/components',
    '/components/securitySchemes',
    '/components/securitySchemes/key',
  ],
];
/** Places that a tool has nothing of. */
const UNUSED = ['/responses', '/responses/200', '/responses/200/headers', '/responses/200/content'].map(
  (place) => OPERATION + place,
);

describe('an operation', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'adorn-openapi-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  it.each([...PLACES, ...UNUSED])('is the same with a reference within the document at %s', async (place) => {
    const { document, part } = moved(place, '#/x-part');

    expect(await toolOf({ ...document, 'x-part': part })).toEqual(await toolOf(DOCUMENT));
  });

  it.each([...PLACES, ...UNUSED])('is the same with a reference to a file at %s', async (place) => {
    const { document, part } = moved(place, './part.json#/part');
    await writeFile(join(folder, 'part.json'), JSON.stringify({ part }));
    await writeFile(join(folder, 'api.json'), JSON.stringify(document));

    expect(await toolOf(join(folder, 'api.json'))).toEqual(await toolOf(DOCUMENT));
  });

  it.each(PLACES.filter((place) => place !== `${OPERATION}/tags`))(
    'is no tool that has lost a part, but an error with words, where the reference at %s leads nowhere',
    async (place) => {
      const { document } = moved(place, '#/x-nowhere/at-all');

      await expect(toolOf(document)).rejects.toThrow(/refers to "#\/x-nowhere\/at-all"/);
    },
  );

  it.each(['a text', 7, true])('is no tool where a reference to its parts leads to %j', async (wrong) => {
    for (const place of [OPERATION, `${OPERATION}/parameters`, BODY, `${BODY}/content`, MEDIA]) {
      const { document } = moved(place, '#/x-part');

      await expect(toolOf({ ...document, 'x-part': wrong })).rejects.toThrow(/, and not (a list|an object)/);
    }
  });

  it('may add to the operation that it refers to', async () => {
    const { document, part } = moved(OPERATION, '#/x-part');
    const { 'x-part': _none, ...rest } = document;
    const item = at(rest, '/paths/~1pets~1{petId}') as Json;
    item['post'] = { $ref: '#/x-part', description: 'Another text.' };

    const [, description] = await toolOf({ ...rest, 'x-part': part });

    expect(description).toContain('Another text.');
  });

  it('of Swagger 2.0 is followed as well', async () => {
    const operation = {
      operationId: 'findPet',
      parameters: [{ name: 'petId', in: 'path', required: true, type: 'integer' }],
      responses: { 200: { description: 'Found.' } },
    };
    const swagger = (post: Json): Json => ({
      swagger: '2.0',
      ...{ info: { title: 'Pets', version: '1' }, host: 'example.com', schemes: ['https'] },
      paths: { '/pets/{petId}': { get: post } },
      'x-operations': { find: operation },
    });

    expect(await toolOf(swagger({ $ref: '#/x-operations/find' }))).toEqual(await toolOf(swagger(operation)));
    await expect(toolOf(swagger({ $ref: '#/x-operations/none' }))).rejects.toThrow('x-operations/none');
  });
});

/** The name, the description, the schema and the place of the only tool. */
async function toolOf(source: object | string): Promise<unknown[]> {
  const toolset = openApiToolset(source);
  try {
    const [tool] = await toolset.listTools();
    if (tool === undefined) throw toolset.skipped[0] ?? new Error('there is no tool');
    const { description, parametersJsonSchema } = tool.declaration();
    const { $defs, ...schema } = parametersJsonSchema as Json;
    return [tool.name, description, inlined(schema, $defs as Json), tool.traits.auth, tool.operation];
  } finally {
    await toolset.close();
  }
}

/** A schema without the shared definitions that references of the document become. */
function inlined(schema: unknown, definitions: Json): unknown {
  return JSON.parse(JSON.stringify(schema), (_key, value: unknown) => {
    const { $ref, ...rest } = (value ?? {}) as Json;
    if (typeof $ref !== 'string') return value;
    return { ...(inlined(definitions[$ref.replace('#/$defs/', '')], definitions) as Json), ...rest };
  });
}

/** The document with a reference at a place, and what stood there. */
function moved(place: string, $ref: string): { document: Json; part: unknown } {
  const document = structuredClone(DOCUMENT);
  const parent = at(document, place.slice(0, place.lastIndexOf('/'))) as Json;
  const key = unescaped(place.slice(place.lastIndexOf('/') + 1));
  const part = parent[key];
  parent[key] = { $ref };
  return { document, part };
}

function at(document: Json, place: string): unknown {
  return place
    .split('/')
    .slice(1)
    .reduce<unknown>((found, step) => (found as Json)[unescaped(step)], document);
}

function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
