import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { eventsOf, says, ScriptedModel } from '@adorn/testing';
import { createRunner, defineAgent } from '@adorn/core';
import { Ajv2020 } from 'ajv/dist/2020.js';

import { callThrough, documentWith, EchoApi } from '../echo-api.fixture.js';
import { openApiToolset } from '../openapi.toolset.js';
import type { OpenApiToolsetOptions } from '../options.js';
import { type OpenApiSource, urlOfSource } from './load-document.js';

const YAML =
  'openapi: 3.0.3\ninfo: { title: T, version: "1" }\npaths:\n  /a:\n    get: { operationId: getA }\n';
const BASE = { baseUrl: 'https://api.example.com' };

let api: EchoApi;
let folder: string;
beforeEach(async () => {
  api = await EchoApi.start();
  folder = await mkdtemp(join(tmpdir(), 'adorn-openapi-'));
});
afterEach(async () => {
  await api.stop();
  await rm(folder, { recursive: true });
});

describe('a document', () => {
  it('may be an object, a text, a path or a URL', async () => {
    const path = join(folder, 'api.yaml');
    await writeFile(path, YAML);
    api.answer = (_request, response) => response.end(YAML);
    const sources: OpenApiSource[] = [
      documentWith({ '/a': { get: { operationId: 'getA' } } }),
      YAML,
      JSON.stringify(documentWith({ '/a': { get: { operationId: 'getA' } } })),
      path,
      new URL(`file://${path}`),
      `${api.url}/api.yaml`,
      new URL(`${api.url}/api.yaml`),
    ];

    for (const source of sources) expect(await names(source)).toEqual(['get_a']);
  });

  it.each<[string, OpenApiSource, string]>([
    ['Swagger 1.2', { swagger: '1.2', paths: {} }, 'it is Swagger "1.2". Pass a document of Swagger 2.0'],
    ['Swagger 2.0 without information', { swagger: '2.0', paths: 7 }, 'its paths are a number'],
    ['without a version', { paths: {} }, 'its "openapi" is absent'],
    ['of version 4', { openapi: '4.0.0' }, 'its "openapi" is "4.0.0"'],
    ['without operations', { openapi: '3.1.0', paths: {} }, 'it has no operations'],
    ['whose paths are a list', { openapi: '3.1.0', paths: [] }, 'its paths are a list'],
    ['that is a list', '[\n]', 'it is a list'],
    ['that is broken JSON', '{ "openapi": ', 'it is neither JSON nor YAML'],
    [
      'that is broken JSON in its third line',
      '{\n"openapi": "3.1.0",\n"paths": {]}',
      'it is neither JSON nor YAML: Flow map in block collection must be sufficiently indented and end with a } at line 3',
    ],
    [
      'that is broken YAML',
      'openapi: 3.0.0\npaths:\n  /a:\n   get: x\n  bad\n',
      'it is neither JSON nor YAML: Implicit map keys need to be followed by map values at line 5, column 3. Check',
    ],
    ['that is empty', '\n', 'it is empty. Check the text.'],
    [
      'that does not exist',
      'nowhere.yaml',
      '"nowhere.yaml" cannot be used: the file cannot be read (ENOENT)',
    ],
    ['in a folder', '/', 'the file cannot be read (EISDIR)'],
    ['of another scheme', new URL('ftp://example.com/api.yaml'), 'it is given as a ftp: URL'],
    ['of a page that is not there', 'http://127.0.0.1:9/api.yaml', 'The request to 127.0.0.1:9 failed'],
  ])('%s is a typed error with a cure', async (_what, source, words) => {
    await expect(names(source)).rejects.toMatchObject({
      code: 'OPENAPI_DOCUMENT_INVALID',
      message: expect.stringContaining(words) as unknown,
    });
  });

  it('is read again after it could not be read', async () => {
    let isUp = false;
    api.answer = (_request, response) => {
      response.writeHead(isUp ? 200 : 503);
      response.end(YAML);
    };
    const toolset = openApiToolset(`${api.url}/api.yaml`);

    await expect(toolset.listTools()).rejects.toThrow('the server answered 503');
    isUp = true;
    expect(await toolset.listTools()).toHaveLength(1);
    expect(await toolset.listTools()).toBe(await toolset.listTools());
    expect(api.seen).toHaveLength(2);
  });

  it('is read for all runs, also where the one that began it is cancelled', async () => {
    const arrived = new Promise<void>((resolve) => {
      api.answer = (_request, response) => {
        resolve();
        setImmediate(() => response.end(YAML));
      };
    });
    const toolset = openApiToolset(`${api.url}/api.yaml`);
    const clerk = defineAgent({ name: 'clerk', tools: [toolset] });
    await using runner = await createRunner(clerk, { model: new ScriptedModel(says('Done.')) });
    const stop = new AbortController();
    const cancelled = eventsOf(runner.run({ sessionId: 's1', message: 'Go.', signal: stop.signal }));
    await arrived;
    stop.abort();
    await cancelled;

    expect(await toolset.listTools()).toHaveLength(1);
    expect(api.seen).toHaveLength(1);
  });

  it('S8 is not fetched from an address that is not stated, also by a redirect', async () => {
    const target = await EchoApi.start();
    target.answer = (_request, response) => response.end(YAML);
    api.answer = (_request, response) => {
      response.writeHead(302, { location: target.url.replace('127.0.0.1', 'localhost') });
      response.end();
    };

    for (const source of [
      `${api.url}/api.yaml`,
      'http://169.254.169.254/api.yaml',
      'http://localhost./api.yaml',
    ])
      await expect(names(source)).rejects.toMatchObject({ code: 'OPENAPI_DOCUMENT_INVALID' });
    expect(target.seen).toEqual([]);
    await target.stop();
  });

  it.each<[string, string]>([
    ['file:///etc/passwd', 'cannot be read (ENOENT)'],
    ['/etc/passwd', '"/etc/passwd", outside the folder of the document. Bundle the document into one file.'],
    ['../secret.yaml', 'outside the folder of the document'],
    ['%2e%2e/secret.yaml', 'outside the folder of the document'],
    ['link.yaml', 'outside the folder of the document'],
    ['linked/secret.yaml', 'outside the folder of the document'],
    ['http://127.0.0.1/x', 'a file may refer to files only'],
    ['//evil.example/x', 'outside the folder of the document'],
    ['absent.yaml#/A', 'cannot be read (ENOENT)'],
    ['broken.yaml', 'it is neither JSON nor YAML'],
  ])('S8 does not follow a reference of a file to %s', async ($ref, words) => {
    const inner = join(folder, 'docs');
    await mkdir(inner);
    await writeFile(join(folder, 'secret.yaml'), 'type: string');
    await symlink(join(folder, 'secret.yaml'), join(inner, 'link.yaml'));
    await symlink(folder, join(inner, 'linked'));
    await writeFile(join(inner, 'broken.yaml'), 'a: [');
    const path = join(inner, 'api.json');
    const body = { content: { 'application/json': { schema: { $ref } } } };
    const paths = {
      '/a': { get: { operationId: 'getA' } },
      '/b': { post: { requestBody: body } },
      '/c': { $ref },
    };
    await writeFile(path, JSON.stringify(documentWith(paths)));
    const toolset = openApiToolset(path, BASE);

    expect((await toolset.listTools()).map(({ name }) => name)).toEqual(['get_a']);
    expect(toolset.skipped.map(({ message }) => message)).toEqual([
      expect.stringContaining(words) as unknown,
      expect.stringContaining(words) as unknown,
    ]);
    expect(api.seen).toEqual([]);
  });

  it('may have several files, each with references of its own', async () => {
    const files = {
      'api.yaml': `
openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /pets: { $ref: paths/pets.yaml }
components:
  schemas:
    Named: { type: object, properties: { name: { $ref: '#name' } } }
    Name: { $anchor: name, type: string, maxLength: 5 }
`,
      'paths/pets.yaml': `
post:
  operationId: add
  parameters:
    - $ref: '../common.yaml#/parameters/limit'
  requestBody:
    content:
      application/json:
        schema:
          oneOf:
            - $ref: ../schemas/cat.yaml
            - $ref: ../common.yaml#/schemas/Dog
          discriminator:
            propertyName: kind
            mapping: { feline: ../schemas/cat.yaml, canine: '../common.yaml#/schemas/Dog' }
`,
      'schemas/cat.yaml': `
allOf: [{ $ref: '../api.yaml#/components/schemas/Named' }, { $ref: ../common.yaml#lives }]
`,
      'common.yaml': `
parameters:
  limit: { name: limit, in: query, schema: { type: integer } }
schemas:
  Dog: { type: object, properties: { kind: { type: string }, friend: { $ref: '#/schemas/Dog' } } }
  Lives: { $anchor: lives, type: object, properties: { lives: { type: integer } } }
`,
    };
    await mkdir(join(folder, 'paths'));
    await mkdir(join(folder, 'schemas'));
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    api.answer = ({ url }, response) => {
      const text = files[url.slice('/docs/'.length) as keyof typeof files] as string | undefined;
      response.writeHead(text === undefined ? 404 : 200);
      response.end(text);
    };

    for (const source of [join(folder, 'api.yaml'), `${api.url}/docs/api.yaml`]) {
      const [tool] = await openApiToolset(source, BASE).listTools();
      const schema = tool?.declaration().parametersJsonSchema as object;
      const check = new Ajv2020({ strict: false }).compile(schema);

      expect(schema).toMatchObject({ properties: { limit: { type: 'integer' } } });
      const isValid = (body: object) => check({ body });
      expect(isValid({ kind: 'feline', name: 'Tom', lives: 9 })).toBe(true);
      expect(isValid({ kind: 'feline', name: 'Thomas' })).toBe(false);
      expect(isValid({ kind: 'feline', lives: 'nine' })).toBe(false);
      expect(isValid({ kind: 'canine', friend: { kind: 7 } })).toBe(false);
      expect(isValid({ kind: 'cat' })).toBe(false);
    }
  });

  it('S8 that was read from a URL has files of its own origin only, also by a redirect', async () => {
    const target = await EchoApi.start();
    target.answer = (_request, response) => response.end('type: string');
    const refs = [`${target.url}/x`, './moved.yaml', './absent.yaml', 'file:///etc/passwd'];
    api.answer = ({ url }, response) => {
      if (url === '/moved.yaml') response.writeHead(302, { location: `${target.url}/x` });
      else if (url !== '/api.json') response.writeHead(404);
      const paths = refs.map(($ref, index) => [
        `/${String(index)}`,
        { post: { requestBody: { content: { 'application/json': { schema: { $ref } } } } } },
      ]);
      response.end(
        JSON.stringify(documentWith({ '/a': { get: {} }, ...(Object.fromEntries(paths) as object) })),
      );
    };
    const toolset = openApiToolset(`${api.url}/api.json`, { ...BASE, privateHosts: ['127.0.0.1'] });

    expect(await toolset.listTools()).toHaveLength(1);
    expect(toolset.skipped.map(({ fault }) => fault)).toEqual([
      `it refers to "${target.url}/x", at another origin than the document`,
      `it refers to "${target.url}/x", at another origin than the document`,
      `it refers to "${api.url}/absent.yaml", which answered 404`,
      expect.stringContaining('answered 404') as unknown,
    ]);
    expect(target.seen.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    await target.stop();
  });

  it('of Swagger 2.0 is converted, also where it has several files', async () => {
    const swagger = {
      swagger: '2.0',
      info: { title: 'T', version: '1' },
      basePath: '/v1',
      consumes: ['application/json'],
      parameters: {
        body: { name: 'pet', in: 'body', required: true, schema: { $ref: '#/definitions/Pet' } },
      },
      definitions: { Pet: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } },
      securityDefinitions: { key: { type: 'apiKey', in: 'query', name: 'key' } },
      paths: {
        '/pets': {
          post: { operationId: 'add', parameters: [{ $ref: '#/parameters/body' }] },
          get: {
            operationId: 'list',
            security: [{ key: [] }],
            parameters: [
              {
                name: 'tags',
                in: 'query',
                type: 'array',
                items: { type: 'string' },
                collectionFormat: 'pipes',
              },
              { $ref: 'limit.json' },
            ],
          },
          put: {
            operationId: 'photo',
            consumes: ['multipart/form-data'],
            parameters: [{ name: 'file', in: 'formData', type: 'file', required: true }],
          },
        },
      },
    };
    await writeFile(join(folder, 'swagger.json'), JSON.stringify(swagger));
    await writeFile(
      join(folder, 'limit.json'),
      JSON.stringify({ name: 'limit', in: 'query', type: 'integer', required: true }),
    );
    const toolset = openApiToolset(join(folder, 'swagger.json'), {
      baseUrl: `${api.url}/v1`,
      auth: { key: { credential: { type: 'apiKey', apiKey: 'GOOD' } } },
    });

    expect((await toolset.listTools()).map(({ name }) => name).sort()).toEqual(['add', 'list', 'photo']);
    await callThrough(toolset, 'list', { tags: ['a', 'b'], limit: 3 });
    expect(api.last.url).toBe('/v1/pets?tags=a%7Cb&limit=3&key=GOOD');
    await callThrough(toolset, 'add', { body: { name: 'Rex' } });
    expect(api.last.body.toString()).toBe('{"name":"Rex"}');
    expect(await callThrough(toolset, 'add', { body: {} })).toHaveProperty('error');
    await callThrough(toolset, 'photo', { body: { file: 'aGVsbG8=' } });
    expect(api.last.body.toString()).toContain('hello');
  });

  it('of Swagger 2.0 keeps a body that is a parameter of the path', async () => {
    const swagger = {
      swagger: '2.0',
      info: { title: 'T', version: '1' },
      parameters: { body: { name: 'pet', in: 'body', schema: { type: 'object', required: ['name'] } } },
      paths: {
        '/pets': {
          parameters: [{ $ref: '#/parameters/body' }, { name: 'limit', in: 'query', type: 'integer' }],
          post: { operationId: 'add' },
          put: { operationId: 'own', parameters: [{ name: 'own', in: 'body', schema: { type: 'string' } }] },
        },
      },
    };
    const tools = await openApiToolset(swagger, BASE).listTools();
    const schemas = tools.map((tool) => tool.declaration().parametersJsonSchema);

    expect(schemas.find((_schema, index) => tools[index]?.name === 'add')).toMatchObject({
      properties: { limit: { type: 'integer' }, body: { required: ['name'] } },
    });
    expect(schemas.find((_schema, index) => tools[index]?.name === 'own')).toMatchObject({
      properties: { limit: { type: 'integer' }, body: { type: 'string' } },
    });
  });

  it('has schemas at their $anchor, and is not changed where it is an object', async () => {
    const Pet = { $anchor: 'pet', type: 'object', properties: { friend: { $ref: '#pet' } } };
    const document = documentWith(
      {
        '/a': {
          post: {
            operationId: 'a',
            requestBody: { content: { 'application/json': { schema: { $ref: '#pet' } } } },
          },
        },
        '/b': {
          post: {
            operationId: 'b',
            requestBody: { content: { 'application/json': { schema: { $ref: '#no' } } } },
          },
        },
      },
      { components: { schemas: { Pet } } },
    );
    const copy = JSON.stringify(document);
    const toolset = openApiToolset(document, BASE);
    const [tool] = await toolset.listTools();

    expect(tool?.declaration().parametersJsonSchema).toMatchObject({
      properties: { body: { $ref: '#/$defs/pet' } },
      $defs: { pet: { type: 'object', properties: { friend: { $ref: '#/$defs/pet' } } } },
    });
    expect(toolset.skipped.map(({ fault }) => fault)).toEqual([
      'it refers to "#no", which the document does not have',
    ]);
    expect(JSON.stringify(document)).toBe(copy);
  });

  it('S18 is refused beyond 10 MB, whether it is a text, a file or a response', async () => {
    const text = `${YAML}x: ${'y'.repeat(10_485_760)}`;
    const path = join(folder, 'large.yaml');
    await writeFile(path, text);
    api.answer = (_request, response) => response.end(text);

    for (const source of [text, path, `${api.url}/large.yaml`])
      await expect(names(source)).rejects.toThrow('more than 10485760 bytes. Pass a larger');
  });

  it('may be larger where the developer says so', async () => {
    const text = `${YAML}x: ${'y'.repeat(10_485_760)}`;
    const path = join(folder, 'large.yaml');
    await writeFile(path, text);
    api.answer = (_request, response) => response.end(text);

    for (const source of [text, path, `${api.url}/large.yaml`])
      expect(await names(source, { maxDocumentBytes: 20_000_000 })).toEqual(['get_a']);
    await expect(names(YAML, { maxDocumentBytes: 10 })).rejects.toThrow(
      'it has more than 10 bytes. Pass a larger maxDocumentBytes',
    );
    expect(() => openApiToolset(YAML, { maxDocumentBytes: 0 })).toThrow('maxDocumentBytes is 0');
  });

  it('S8 that redirects to another origin does not choose where credentials go: the developer says', async () => {
    const target = await EchoApi.start();
    const privateHosts = ['127.0.0.1'];
    api.answer = (request, response) => {
      if (request.url !== '/api.yaml') return response.end('{}');
      response.writeHead(302, { location: `${target.url}/doc.yaml` });
      return response.end();
    };
    target.answer = (_request, response) => response.end(YAML);

    await expect(openApiToolset(`${api.url}/api.yaml`, { privateHosts }).listTools()).rejects.toMatchObject({
      code: 'OPENAPI_DOCUMENT_INVALID',
      message: expect.stringContaining(
        `${api.url} redirects to ${target.url}, and credentials go only where you say. Pass the address of the API as baseUrl`,
      ) as unknown,
    });
    const toolset = openApiToolset(`${api.url}/api.yaml`, { privateHosts, baseUrl: api.url });
    expect(await callThrough(toolset, 'get_a', {})).toMatchObject({ status: 200 });
    expect(api.last.url).toBe('/a');
    await target.stop();
  });

  it('S18 may not multiply itself by aliases', async () => {
    const levels = Array.from(
      { length: 12 },
      (_each, index) => `l${String(index + 1)}: &l${String(index + 1)} [${`*l${String(index)}, `.repeat(9)}]`,
    );
    const bomb = `${YAML}l0: &l0 [x]\n${levels.join('\n')}\n`;

    await expect(names(bomb)).rejects.toMatchObject({ code: 'OPENAPI_DOCUMENT_INVALID' });
  });
});

describe('the server of an operation', () => {
  const servers = (...list: object[]) =>
    documentWith({ '/a': { get: { operationId: 'getA' } } }, { servers: list });
  const region = { url: '{root}/{region}', variables: { region: { default: 'eu', enum: ['eu', 'us'] } } };

  it('is of the operation, else of its path, else of the document, else of the developer', async () => {
    const other = { url: 'https://nowhere.invalid' };
    const own = { url: `${api.url}/own/` };
    const paths = { '/a': { servers: [other], get: { operationId: 'getA', servers: [own] } } };
    const toolset = openApiToolset(documentWith(paths, { servers: [other] }), {
      privateHosts: ['127.0.0.1'],
    });

    await run(toolset);
    expect(api.last.url).toBe('/own/a');

    await run(openApiToolset(documentWith(paths), { baseUrl: `${api.url}/mine` }));
    expect(api.last.url).toBe('/mine/a');
  });

  it('has the variables that the developer fixes, within what the document allows', async () => {
    const document = servers({ ...region, url: region.url.replace('{root}', api.url) });
    const options = { privateHosts: ['127.0.0.1'] };

    await run(openApiToolset(document, options));
    await run(openApiToolset(document, { ...options, serverVariables: { region: 'us' } }));

    expect(api.seen.map(({ url }) => url)).toEqual(['/eu/a', '/us/a']);
    await expect(names(document, { ...options, serverVariables: { region: 'evil.com' } })).rejects.toThrow(
      'the variable region of its server URL is "evil.com", and not one of ["eu","us"]',
    );
    await expect(names(servers(region))).rejects.toThrow('the variable root of its server URL has no value');
  });

  it('S8 is of the origin of a document that was read from a URL, or stated', async () => {
    api.answer = (_request, response) =>
      response.end(JSON.stringify(servers({ url: 'https://evil.example/v1' })));
    const source = `${api.url}/api.json`;

    await expect(names(source)).rejects.toMatchObject({
      code: 'OPENAPI_OPERATION_UNSUPPORTED',
      message: expect.stringContaining("say so: baseUrl: 'https://evil.example/v1'") as unknown,
    });
    expect(await names(source, { baseUrl: 'https://evil.example/v1' })).toEqual(['get_a']);
    api.answer = (_request, response) => response.end(JSON.stringify(servers({ url: '/v2' })));
    await run(openApiToolset(source));
    expect(api.last.url).toBe('/v2/a');
  });

  it.each(['/v1', 'ftp://example.com', 'https://u:p@example.com', 'nonsense://'])(
    'is a typed error where it is %s and the document has no address',
    async (url) => {
      await expect(names(servers({ url }))).rejects.toMatchObject({ code: 'OPENAPI_OPERATION_UNSUPPORTED' });
    },
  );

  it('S8 is not called at an address that the document alone names', async () => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    for (const url of [api.url, 'http://169.254.169.254/'])
      expect(await run(openApiToolset(servers({ url })))).toEqual({
        error: expect.stringContaining('was blocked') as unknown,
      });
    expect(api.seen).toEqual([]);
    warn.mockRestore();
  });
});

async function names(source: OpenApiSource, options: OpenApiToolsetOptions = {}): Promise<string[]> {
  const isDocument = typeof source === 'object' && !(source instanceof URL) && 'servers' in source;
  const isUrl = urlOfSource(source) !== undefined;
  const toolset = openApiToolset(source, isDocument || isUrl ? options : { ...BASE, ...options });
  return (await toolset.listTools()).map(({ name }) => name);
}

function run(toolset: ReturnType<typeof openApiToolset>): Promise<unknown> {
  return callThrough(toolset, 'get_a', {});
}
