import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';
import { createRunner, defineAgent, ToolError } from '@adorn/core';

import { callThrough, documentWith, EchoApi } from './echo-api.fixture.js';
import { openApiToolset, type OpenApiToolset } from './openapi.toolset.js';
import type { OpenApiToolsetOptions, OperationHooks } from './options.js';
import type { RestApiTool } from './rest-api.tool.js';

let api: EchoApi;
beforeEach(async () => {
  api = await EchoApi.start();
});
afterEach(() => api.stop());

const PETS = documentWith(
  {
    '/pets': {
      parameters: [{ name: 'X-Trace', in: 'header', schema: { type: 'string' } }],
      get: {
        operationId: 'listPets',
        summary: 'List pets.',
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', default: 20 } },
          { name: 'page', in: 'query', schema: { type: 'integer' } },
        ],
      },
      post: {
        operationId: 'createPet',
        requestBody: { $ref: '#/components/requestBodies/Pet' },
      },
    },
    '/pets/{petId}': {
      parameters: [{ $ref: '#/components/parameters/PetId' }],
      get: { operationId: 'getPet', tags: ['pets'] },
      delete: { operationId: 'deletePet', deprecated: true },
    },
  },
  {
    servers: [{ url: 'https://nowhere.invalid' }],
    components: {
      parameters: { PetId: { name: 'petId', in: 'path', required: true, schema: { type: 'integer' } } },
      requestBodies: {
        Pet: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
        },
      },
      schemas: { Pet: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } },
    },
  },
);

describe('openApiToolset', () => {
  it('makes one tool of each operation, with its effect', async () => {
    const tools = await pets().listTools();

    expect(tools.map(({ name, traits, operation }) => [name, traits.effect, operation.method])).toEqual([
      ['list_pets', 'read', 'GET'],
      ['create_pet', 'write', 'POST'],
      ['get_pet', 'read', 'GET'],
      ['delete_pet', 'destructive', 'DELETE'],
    ]);
  });

  it('gives its tools the labels of the options', async () => {
    const labels = { untrusted: true, confidential: true, outside: true };

    const [tool] = await pets(labels).listTools();

    expect(tool?.traits).toMatchObject(labels);
  });

  it('declares parameters of the operation, of its path and by reference, and the body as one argument', async () => {
    const tools = await pets().listTools();

    expect(tools[0]?.declaration()).toEqual({
      name: 'list_pets',
      description:
        'List pets.\nThe result comes in pages: pass `page` for the next one, `limit` for the size of a page.',
      parametersJsonSchema: {
        type: 'object',
        properties: {
          x_trace: { type: 'string' },
          limit: { type: 'integer', description: 'Default: 20.' },
          page: { type: 'integer' },
        },
        additionalProperties: false,
      },
    });
    expect(tools[1]?.declaration().parametersJsonSchema).toMatchObject({
      properties: { body: { $ref: '#/$defs/Pet' } },
      required: ['body'],
      $defs: { Pet: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } },
    });
  });

  it('declares no path parameter that has no place in the path, and leaves out a path of another notation', async () => {
    const id = { name: 'Pet ID', in: 'path', required: true, schema: { type: 'string' } };
    const toolset = openApiToolset(
      documentWith({
        '/pets': { get: { operationId: 'list', parameters: [id] } },
        '/pets/:petId': { get: { operationId: 'read', parameters: [id] } },
        '/pets:count': { get: { operationId: 'count' } },
      }),
      { baseUrl: 'https://api.example.com' },
    );

    expect((await toolset.listTools()).map((tool) => [tool.name, propertiesOf(tool)])).toEqual([
      ['list', []],
      ['count', []],
    ]);
    expect(toolset.skipped.map(({ message }) => message)).toEqual([
      'The operation GET /pets/:petId cannot be a tool: its parameter "Pet ID" has no place in its path. ' +
        'Write the path with {Pet ID} in place of :petId.',
    ]);
  });

  it('takes the operations beside the reference of a path item as well as those it refers to', async () => {
    const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
    const trace = { name: 'trace', in: 'query', schema: { type: 'string' } };
    const document = documentWith(
      {
        '/u/{id}': {
          $ref: '#/components/pathItems/User',
          parameters: [trace],
          post: { operationId: 'change' },
          delete: { operationId: 'remove' },
        },
      },
      {
        components: {
          pathItems: {
            User: { parameters: [id], get: { operationId: 'read' }, delete: { operationId: 'other' } },
          },
        },
      },
    );
    const toolset = openApiToolset(document, { baseUrl: 'https://api.example.com' });

    expect((await toolset.listTools()).map((tool) => [tool.name, propertiesOf(tool)])).toEqual([
      ['read', ['id', 'trace']],
      ['change', ['id', 'trace']],
      ['remove', ['id', 'trace']],
    ]);
    expect(toolset.skipped).toEqual([]);
  });

  it('calls the operation, and returns status and body', async () => {
    expect(await callThrough(pets(), 'list_pets', { limit: 5, x_trace: 't' })).toEqual({
      status: 200,
      body: { ok: true },
    });
    expect(api.last).toMatchObject({ method: 'GET', url: '/pets?limit=5', headers: { 'x-trace': 't' } });

    await callThrough(pets(), 'create_pet', { body: { name: 'Rex' } });
    expect(api.last).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
    expect(api.last.body.toString()).toBe('{"name":"Rex"}');
  });

  it.each([404, 403, 500])('returns a response with status %i as it is', async (status) => {
    api.answer = (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/problem+json' });
      response.end('{"title":"no"}');
    };

    expect(await callThrough(pets(), 'get_pet', { petid: 1, pet_id: 7 })).toHaveProperty('error');
    expect(await callThrough(pets(), 'get_pet', { pet_id: 7 })).toEqual({ status, body: { title: 'no' } });
  });

  it('refuses arguments that do not fit before anything is sent', async () => {
    expect(await callThrough(pets(), 'get_pet', {})).toEqual({
      error: expect.stringContaining('pet_id') as unknown,
    });
    expect(await callThrough(pets(), 'create_pet', { body: { title: 'Rex' } })).toHaveProperty('error');
    expect(api.seen).toEqual([]);
  });

  it.each<[string, Buffer | string, unknown]>([
    ['text/plain', 'hello', 'hello'],
    ['application/json', '{broken', '{broken'],
    ['application/json', '', null],
    ['application/vnd.api+json; charset=utf-8', '[1]', [1]],
    ['application/xml', '<a/>', '<a/>'],
    [
      'image/png',
      Buffer.from([137, 80, 78, 71]),
      { artifact: 'get_pet/c1', mimeType: 'image/png', bytes: 4 },
    ],
  ])('reads a body of %s: %j', async (mediaType, sent, body) => {
    api.answer = (_request, response) => {
      response.setHeader('content-type', mediaType);
      response.end(sent);
    };

    expect(await callThrough(pets(), 'get_pet', { pet_id: 7 })).toEqual({ status: 200, body });
  });

  it('gives the arguments of the next page that a response links to', async () => {
    api.answer = (_request, response) => {
      response.setHeader('link', '</pets?page=1>; rel="first", </pets?page=3&limit=5&secret=x>; rel="next"');
      response.end('[]');
    };

    expect(await callThrough(pets(), 'list_pets', { page: 2, limit: 5 })).toEqual({
      status: 200,
      body: '[]',
      next: { page: '3' },
    });
  });

  it('asks before a DELETE runs', async () => {
    const model = new ScriptedModel(callsTool('delete_pet', { pet_id: 7 }), says('Done.'));
    await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [pets()] }), { model });
    const { pending } = await runner.run({ userId: 'ada', sessionId: 's1', message: 'Go.' });

    expect([pending.map(({ kind }) => kind), api.seen]).toEqual([['confirmation'], []]);
    const [request] = pending;
    if (request !== undefined) await eventsOf(runner.approve(request, { by: 'ada' }));
    expect(api.last).toMatchObject({ method: 'DELETE', url: '/pets/7' });
  });

  it('asks as the option confirm decides', async () => {
    const asked = jest.fn(
      ({ method }: { method: string }, args: object) => method !== 'GET' && JSON.stringify(args),
    );
    const model = new ScriptedModel(callsTool('create_pet', { body: { name: 'Rex' } }));
    const tools = [pets({ confirm: asked })];
    await using runner = await createRunner(defineAgent({ name: 'clerk', tools }), { model });

    const { pending } = await runner.run({ userId: 'ada', message: 'Go.' });

    expect(pending).toMatchObject([{ kind: 'confirmation', hint: '{"body":{"name":"Rex"}}' }]);
    expect(await pets({ confirm: false }).listTools()).toHaveLength(4);
  });

  it.each<[string, OpenApiToolsetOptions['only'], string[]]>([
    ['ids and names', ['listPets', 'get_pet'], ['list_pets', 'get_pet']],
    ['a function', ({ tags }) => tags.includes('pets'), ['get_pet']],
    ['nothing', [], []],
  ])('takes only the operations that %s choose', async (_how, only = [], names) => {
    expect((await pets({ only }).listTools()).map(({ name }) => name)).toEqual(names);
  });

  it.each<[string, OpenApiToolsetOptions, string[]]>([
    ['ids and names', { except: ['createPet', 'delete_pet'] }, ['list_pets', 'get_pet']],
    ['a function', { except: ({ isDeprecated }) => isDeprecated }, ['list_pets', 'create_pet', 'get_pet']],
    ['nothing', { except: [] }, ['list_pets', 'create_pet', 'get_pet', 'delete_pet']],
    ['a name, of those of only', { only: ['listPets', 'getPet'], except: ['getPet'] }, ['list_pets']],
    ['all', { except: () => true }, []],
  ])('leaves out the operations that %s in except choose', async (_how, options, names) => {
    expect((await pets(options).listTools()).map(({ name }) => name)).toEqual(names);
  });

  it('asks before calls of the operations in a list of confirm, and of those that delete', async () => {
    const tools = await pets({ confirm: ['create_pet', 'listPets'] }).listTools();

    expect(tools.filter(({ mayAskFirst }) => mayAskFirst).map(({ name }) => name)).toEqual([
      'list_pets',
      'create_pet',
      'delete_pet',
    ]);
  });

  const CREATE = { body: { name: 'Rex' } };
  const ADA = { id: 'ada', roles: ['keeper'] };
  const MIA = { id: 'mia', roles: ['manager'] };

  it.each<[string, OpenApiToolsetOptions['approvers'], object]>([
    ['a role', { role: 'manager' }, { role: 'manager' }],
    [
      'what a function of the operation, the arguments and the requester returns',
      ({ method }, { body }, { requester }) => ({
        role: 'manager',
        of: [method, (body as { name: string }).name, requester.id],
      }),
      { role: 'manager', of: ['POST', 'Rex', 'ada'] },
    ],
  ])('lets approve who is %s', async (_who, approvers, rule) => {
    const model = new ScriptedModel(callsTool('create_pet', CREATE), says('Done.'));
    const tools = [pets({ confirm: ['createPet'], approvers })];
    await using runner = await createRunner(defineAgent({ name: 'clerk', tools }), { model });
    const { pending } = await runner.run({ userId: 'ada', message: 'Go.', by: ADA });
    const [request] = pending;
    if (request === undefined) throw new Error('nothing is pending');

    expect(request).toMatchObject({ kind: 'confirmation', approvers: [rule] });
    await expect(runner.approve(request, { by: ADA })).rejects.toMatchObject({
      code: 'APPROVER_NOT_ALLOWED',
    });
    expect(api.seen).toEqual([]);
    await runner.approve(request, { by: { ...MIA, attributes: { team: 'Rex' } } });
    expect(api.last).toMatchObject({ method: 'POST', url: '/pets' });
  });

  it('asks about each call that others approve, unless confirm says which', async () => {
    const approvers = { role: 'manager' };
    const asking = async (options: OpenApiToolsetOptions): Promise<string[]> => {
      const tools = await pets(options).listTools();
      return tools.filter(({ mayAskFirst }) => mayAskFirst).map(({ name }) => name);
    };

    expect(await asking({ approvers })).toEqual(['list_pets', 'create_pet', 'get_pet', 'delete_pet']);
    expect(await asking({ approvers, confirm: ['createPet'] })).toEqual(['create_pet', 'delete_pet']);
    expect(await asking({ approvers: 'requester' })).toEqual(['delete_pet']);
  });

  it('puts a prefix before the names', async () => {
    expect((await pets({ prefix: 'zoo', only: ['listPets'] }).listTools()).map(({ name }) => name)).toEqual([
      'zoo_list_pets',
    ]);
  });

  it('tells the model that the API cannot be reached, and lets the run go on', async () => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    const dead = openApiToolset(PETS, { baseUrl: 'http://127.0.0.1:9' });

    expect(await callThrough(dead, 'list_pets', {})).toEqual({
      error: expect.stringContaining('The request to 127.0.0.1:9 failed') as unknown,
    });
    warn.mockRestore();
  });

  it('tells the model that a response is too large', async () => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    api.answer = (_request, response) => response.end('x'.repeat(10_000));

    expect(await callThrough(pets({ maxBytes: 1_000 }), 'list_pets', {})).toEqual({
      error: expect.stringContaining('the body has more than 1000 bytes') as unknown,
    });
    warn.mockRestore();
  });

  it('leaves an operation out that cannot be a tool, and says why', async () => {
    const toolset = openApiToolset(
      documentWith({
        '/a': { get: { operationId: 'a' } },
        '/b/{id}': { get: { operationId: 'b' } },
        '/c': { $ref: '#/components/nothing' },
      }),
      { baseUrl: api.url },
    );

    expect((await toolset.listTools()).map(({ name }) => name)).toEqual(['a']);
    expect(toolset.skipped.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      'OPENAPI_OPERATION_UNSUPPORTED: The operation /c cannot be a tool: it refers to "#/components/nothing", which the ' +
        'document does not have. Correct the document, or leave the operation out with except.',
      'OPENAPI_OPERATION_UNSUPPORTED: The operation GET /b/{id} cannot be a tool: its path has {id}, and there is no such ' +
        'parameter. Correct the document, or leave the operation out with except.',
    ]);
  });

  it('gives every operation a legal name that no other has', async () => {
    const ids = [
      'getPet',
      'get-pet',
      'GET PET',
      '',
      '名前',
      '1st',
      'x'.repeat(200),
      'adk_request_credential',
      undefined,
    ];
    const paths = Object.fromEntries(
      ids.map((operationId, index) => [`/p${String(index)}`, { get: { operationId } }]),
    );
    const names = (await openApiToolset(documentWith(paths), { baseUrl: api.url }).listTools()).map(
      ({ name }) => name,
    );

    expect(new Set(names).size).toBe(ids.length);
    expect(names.slice(0, 6)).toEqual(['get_pet', 'get_pet_2', 'get_pet_3', 'get_p3', 'get_p4', 'get_1st']);
    for (const name of names) expect(name).toMatch(/^[a-z_][a-z0-9_]{0,59}$/);
  });

  it.each<[unknown, string]>([
    [{ baseURL: 'https://x' }, 'Did you mean baseUrl?'],
    [{ baseUrl: '/v1' }, 'baseUrl is not an http URL'],
    [{ baseUrl: 'file:///etc' }, 'baseUrl is not an http URL'],
    [{ baseUrl: 'https://u:secret@x' }, 'Pass credentials as auth'],
    [{ auth: 'key' }, 'auth is a text'],
    [{ only: 'listPets' }, 'only is a text'],
    [{ except: ['listPets', 7] }, 'except is a list. Pass a list of operation ids, or a function.'],
    [{ prefix: 'a b' }, 'prefix is a text'],
    [{ confirm: 'yes' }, 'confirm is a text. Pass true, false, a list of operation ids, or a function.'],
    [{ approvers: { rol: 'manager' } }, 'There is no "rol" in a rule.'],
    [{ approvers: 'manager' }, '"manager" is no rule.'],
    [{ retry: 1 }, 'retry is 1. Pass a whole number of at least 2.'],
    [{ retry: { attempt: 3 } }, 'in retry, there is no option attempt. Did you mean attempts?'],
    [{ timeout: 0 }, 'timeout is 0'],
    [{ maxBytes: NaN }, 'maxBytes is NaN'],
    [{ serverVariables: { a: 1 } }, 'serverVariables is an object'],
    [null, 'its options are null'],
  ])('refuses the options %j', (options, words) => {
    expect(() => openApiToolset(PETS, options as OpenApiToolsetOptions)).toThrow(words);
  });

  it.each([undefined, null, 7])('refuses %p as a document', (source) => {
    expect(() => openApiToolset(source as unknown as string)).toThrow('Pass a path, a URL or a document.');
  });

  it.each<[OpenApiToolsetOptions, string]>([
    [{ only: ['listPet'] }, 'Did you mean listPets?'],
    [
      { except: ['listPet'] },
      'except names "listPet", which the document does not have. Did you mean listPets?',
    ],
    [{ confirm: ['deletPet'] }, 'confirm names "deletPet", which the document does not have. Did you mean'],
    [{ auth: { apiKey: {} } }, 'auth names the security scheme "apiKey", which the document does not have'],
  ])('refuses %j when the document is read', async (options, words) => {
    await expect(pets(options).listTools()).rejects.toMatchObject({
      code: 'OPENAPI_OPTION_INVALID',
      message: expect.stringContaining(words) as unknown,
    });
  });
});

function pets(options: OpenApiToolsetOptions = {}): OpenApiToolset {
  return openApiToolset(PETS, { baseUrl: api.url, ...options });
}

describe('the headers of openApiToolset', () => {
  it('are sent with every call in place of parameters, which the model does not see', async () => {
    const headers = { 'X-Trace': 'acme', accept: 'application/vnd.pets+json' };
    const toolset = pets({ headers });
    const [tool] = await toolset.listTools();

    expect(propertiesOf(tool as RestApiTool)).toEqual(['limit', 'page']);
    await callThrough(toolset, 'list_pets', {});
    expect(api.last.headers).toMatchObject({ 'x-trace': 'acme', accept: 'application/vnd.pets+json' });
  });

  it('S8 are not sent to another origin by a redirect', async () => {
    const other = await EchoApi.start();
    api.answer = (_request, response) => {
      response.writeHead(302, { location: `${other.url}/x` });
      response.end();
    };
    const hooks: OperationHooks = {
      beforeRequest: ({ headers }) => {
        headers.set('x-signature', 's');
      },
    };
    const options = { headers: { 'X-Tenant': 'acme' }, hooks, privateHosts: ['127.0.0.1'] };

    await callThrough(pets(options), 'list_pets', { x_trace: 't' });

    expect(api.last.headers).toMatchObject({ 'x-tenant': 'acme', 'x-signature': 's' });
    for (const name of ['x-tenant', 'x-signature', 'x-trace'])
      expect(other.last.headers[name]).toBeUndefined();
    await other.stop();
  });

  it.each<[object, string]>([
    [{ Authorization: 'x' }, 'headers holds Authorization. Pass credentials as auth'],
    [{ 'content-type': 'x' }, 'headers holds content-type'],
    [{ 'a b': 'x' }, 'headers holds a name or a value that is not valid'],
    [{ a: 'b\nc' }, 'headers holds a name or a value that is not valid'],
    [{ a: 7 }, 'headers is an object. Pass texts by name'],
  ])('refuse %j', (headers, words) => {
    expect(() => pets({ headers: headers as Record<string, string> })).toThrow(words);
  });
});

describe('the hooks of openApiToolset', () => {
  it('change a request after its credential was added, and its result', async () => {
    const seen: unknown[] = [];
    const toolset = openApiToolset(PETS, {
      baseUrl: api.url,
      hooks: {
        async beforeRequest(request, { name }, context) {
          await Promise.resolve();
          seen.push([name, request.method, request.headers.get('x-trace'), context.functionCallId]);
          request.url.searchParams.set('tenant', 'acme');
          request.headers.set('x-signature', `of ${String(request.body)}`);
          if (request.body !== undefined) request.body = '{"name":"Max"}';
        },
        afterResponse: (result, { name }) => ({ ...result, body: { from: name } }),
      },
    });

    const result = await callThrough(toolset, 'create_pet', { x_trace: 't', body: { name: 'Rex' } });

    expect(seen).toEqual([['create_pet', 'POST', 't', 'c1']]);
    expect(api.last).toMatchObject({
      url: '/pets?tenant=acme',
      headers: { 'x-signature': 'of {"name":"Rex"}' },
    });
    expect(api.last.body.toString()).toBe('{"name":"Max"}');
    expect(result).toEqual({ status: 200, body: { from: 'create_pet' } });
  });

  it('may leave everything as it is', async () => {
    const hooks: OperationHooks = { beforeRequest: () => undefined, afterResponse: () => undefined };

    expect(await callThrough(pets({ hooks }), 'list_pets', {})).toEqual({ status: 200, body: { ok: true } });
  });

  it('S8 do not send a request to another origin, nor one that a hook refused', async () => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    const moving: OperationHooks = {
      beforeRequest: (request) => {
        request.url = new URL('https://evil.example/');
      },
    };
    const refusing: OperationHooks = {
      beforeRequest: () => {
        throw new ToolError('Not on a Sunday.');
      },
    };

    expect(await callThrough(pets({ hooks: moving }), 'list_pets', {})).toEqual({
      error: expect.stringContaining('The tool failed (OpenApiOptionError)') as unknown,
    });
    expect(warn.mock.calls.flat().join()).toContain(
      `hooks.beforeRequest sends GET /pets to https://evil.example, and the API is at ${api.url}. Keep the origin`,
    );
    expect(await callThrough(pets({ hooks: refusing }), 'list_pets', {})).toEqual({
      error: 'Not on a Sunday.',
    });
    expect(api.seen).toEqual([]);
    warn.mockRestore();
  });

  it.each<[object, string]>([
    [{ before: () => undefined }, 'hooks: there is no option before. Did you mean beforeRequest?'],
    [{ beforeRequest: 'x' }, 'hooks.beforeRequest is a text. Pass a function'],
  ])('refuse %j', (hooks, words) => {
    expect(() => pets({ hooks })).toThrow(words);
  });
});

function propertiesOf(tool: RestApiTool): string[] {
  const { properties } = tool.declaration().parametersJsonSchema as { properties: object };
  return Object.keys(properties);
}
