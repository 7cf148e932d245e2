import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';
import { oauth } from '@adorn/oauth';
import { type ContainerModule, createRunner, defineAgent, type Runner } from '@adorn/core';
import type { AuthScheme } from '@adorn/core/backend';

import { callThrough, documentWith, EchoApi } from '../echo-api.fixture.js';
import { openApiToolset } from '../openapi.toolset.js';
import type { OpenApiToolsetOptions } from '../options.js';

let api: EchoApi;
beforeEach(async () => {
  api = await EchoApi.start();
});
afterEach(() => api.stop());

const ADDRESS = { userId: 'ada', sessionId: 's1' };
const securitySchemes = {
  key: { type: 'apiKey', in: 'header', name: 'X-Key' },
  alias: { $ref: '#/components/securitySchemes/key' },
  queryKey: { type: 'apiKey', in: 'query', name: 'key' },
  cookieKey: { type: 'apiKey', in: 'cookie', name: 'sid' },
  bearer: { type: 'http', scheme: 'Bearer' },
  basic: { type: 'http', scheme: 'basic' },
  digest: { type: 'http', scheme: 'digest' },
  mutual: { type: 'mutualTLS' },
  oauth: {
    type: 'oauth2',
    flows: {
      implicit: { authorizationUrl: 'https://as.example/a', scopes: {} },
      clientCredentials: { tokenUrl: 'https://as.example/t', scopes: { read: '', write: '' } },
    },
  },
  openId: { type: 'openIdConnect', openIdConnectUrl: 'https://as.example/.well-known/openid-configuration' },
};

describe('credentials of an operation', () => {
  it.each<[string, string, string, object]>([
    ['queryKey', 'query', 'key', { url: '/me?x=1&key=GOOD', headers: { cookie: 'sid=EVIL' } }],
    ['key', 'header', 'x-key', { url: '/me?key=EVIL&x=1', headers: { 'x-key': 'GOOD', cookie: 'sid=EVIL' } }],
    ['cookieKey', 'cookie', 'sid', { url: '/me?key=EVIL&x=1', headers: { cookie: 'sid=GOOD' } }],
  ])('S8 the place of %s holds the key alone, and is no argument', async (scheme, place, name, seen) => {
    const parameters = [
      { name, in: place, schema: { type: 'string' } },
      { name: 'filter', in: 'query', schema: { type: 'object' } },
      { name: 'theme', in: 'cookie', schema: { type: 'object' } },
    ];
    const toolset = openApiToolset(
      documentWith(
        { '/me': { get: { operationId: 'me', parameters, security: [{ [scheme]: [] }] } } },
        { components: { securitySchemes } },
      ),
      { baseUrl: api.url, auth: { [scheme]: { credential: { type: 'apiKey', apiKey: 'GOOD' } } } },
    );
    const [tool] = await toolset.listTools();
    const { parametersJsonSchema } = tool?.declaration() ?? {};

    expect(Object.keys((parametersJsonSchema as { properties: object }).properties)).toEqual([
      'filter',
      'theme',
    ]);
    await callThrough(toolset, 'me', { filter: { key: 'EVIL', x: 1 }, theme: { sid: 'EVIL' } });
    expect(api.last).toMatchObject(seen);
  });

  it.each<[string, OpenApiToolsetOptions['auth'], object]>([
    ['key', { key: { credential: { type: 'apiKey', apiKey: 's 1' } } }, { headers: { 'x-key': 's 1' } }],
    ['queryKey', { queryKey: { credential: { type: 'apiKey', apiKey: 's&1' } } }, { url: '/me?key=s%261' }],
    [
      'cookieKey',
      { cookieKey: { credential: { type: 'apiKey', apiKey: 's;1' } } },
      { headers: { cookie: 'sid=s%3B1' } },
    ],
    [
      'bearer',
      { bearer: { credential: { type: 'bearer', token: 't' } } },
      { headers: { authorization: 'Bearer t' } },
    ],
    [
      'basic',
      { basic: { credential: { type: 'basic', username: 'a', password: 'b' } } },
      { headers: { authorization: 'Basic YTpi' } },
    ],
    [
      'oauth',
      { oauth: { credential: { type: 'oauth2', accessToken: 'o' } } },
      { headers: { authorization: 'Bearer o' } },
    ],
    [
      'oauth',
      { oauth: { credential: { type: 'bearer', token: 'b' } } },
      { headers: { authorization: 'Bearer b' } },
    ],
  ])('of the application for the scheme %s go where it says: %j', async (name, auth, sent) => {
    const toolset = secured([{ [name]: [] }], { auth });

    expect(await callThrough(toolset, 'me', {})).toEqual({ status: 200, body: { ok: true } });
    expect(api.last).toMatchObject(sent);
  });

  it('are asked of the user by the auth gate, and kept for later calls', async () => {
    await using runner = await runnerOf(secured([{ key: [] }]), 2);
    const { pending } = await runner.run({ ...ADDRESS, message: 'Go.' });

    expect(pending).toMatchObject([{ kind: 'credential', tool: 'me' }]);
    expect(api.seen).toEqual([]);
    const [request] = pending;
    if (request !== undefined) await runner.supply(request, 'secret');
    await runner.run({ ...ADDRESS, message: 'Again.' });
    expect(api.seen.map(({ headers }) => headers['x-key'])).toEqual(['secret', 'secret']);
  });

  it('that are refused with 401 are asked for again', async () => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    api.answer = ({ headers }, response) => {
      response.writeHead(headers['x-key'] === 'new' ? 200 : 401);
      response.end();
    };
    await using runner = await runnerOf(secured([{ key: [] }]), 2);
    const first = (await runner.run({ ...ADDRESS, message: 'Go.' })).pending[0];
    const pending = first === undefined ? [] : (await runner.supply(first, 'old')).pending;

    expect(pending).toMatchObject([{ kind: 'credential', tool: 'me' }]);
    const events = pending[0] === undefined ? [] : await eventsOf(runner.supply(pending[0], 'new'));
    expect(events.flatMap(({ functionResponses }) => functionResponses)[0]?.response).toEqual({
      status: 200,
      body: null,
    });
    warn.mockRestore();
  });

  it('of the application that are refused with 401 are an error for the model, without the secret', async () => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    api.answer = (_request, response) => {
      response.writeHead(401);
      response.end('you sent canary-secret');
    };
    const auth = { key: { credential: { type: 'apiKey', apiKey: 'canary-secret' } as const } };
    const response = await callThrough(secured([{ key: [] }], { auth }), 'me', {});

    expect(response).toEqual({ error: expect.stringContaining('refused the credential') as unknown });
    expect(JSON.stringify([response, warn.mock.calls])).not.toContain('canary-secret');
    warn.mockRestore();
  });

  it('are all asked for where the document wants several, before anything is sent', async () => {
    await using runner = await runnerOf(secured([{ key: [], bearer: [] }]));
    const first = (await runner.run({ ...ADDRESS, message: 'Go.' })).pending[0];
    const second = first && (await runner.supply(first, 'k')).pending[0];

    expect([first?.kind, second?.kind, api.seen]).toEqual(['credential', 'credential', []]);
    if (second !== undefined) await runner.supply(second, 't');
    expect(api.last.headers).toMatchObject({ 'x-key': 'k', authorization: 'Bearer t' });
  });

  it.each<[string, object[], OpenApiToolsetOptions['auth'], AuthScheme['type'] | undefined]>([
    ['the alternative that the application brings', [{ key: [] }, { basic: [] }], { basic: {} }, 'http'],
    ['the first that Adorn can do', [{ mutual: [] }, { digest: [] }, { key: [] }], {}, 'apiKey'],
    ['none where the document lets calls through without', [{ key: [] }, {}], {}, undefined],
    ['an optional one that the application brings', [{}, { key: [] }], { key: {} }, 'apiKey'],
    ['a bearer token where there is no client', [{ oauth: ['read'] }], {}, 'http'],
    [
      'the flow of the client',
      [{ oauth: ['read'] }],
      { oauth: { credential: { type: 'oauthClient', clientId: 'c' } } },
      'oauth2',
    ],
    [
      'OpenID Connect of the client',
      [{ openId: [] }],
      { openId: { credential: { type: 'oauthClient', clientId: 'c' } } },
      'openIdConnect',
    ],
    ['one that is stated for all', [], { scheme: { type: 'http', scheme: 'bearer' } }, 'http'],
  ])('are of %s', async (_which, security, auth = {}, type) => {
    const [tool] = await secured(security, { auth }).listTools();

    expect(tool?.traits.auth?.scheme.type).toBe(type);
  });

  it('have the scopes of the operation, and tools with other scopes have credentials of their own', async () => {
    const auth = { oauth: { credential: { type: 'oauthClient', clientId: 'c' } as const } };
    const paths = {
      '/a': { get: { security: [{ oauth: ['read'] }] }, put: { security: [{ oauth: ['write', 'read'] }] } },
    };
    const tools = await openApiToolset(documentWith(paths, { components: { securitySchemes } }), {
      baseUrl: 'https://api.example.com',
      auth,
    }).listTools();

    expect(tools.map(({ traits }) => [traits.auth?.scheme, traits.auth?.key])).toEqual([
      [
        {
          type: 'oauth2',
          flows: { clientCredentials: { tokenUrl: 'https://as.example/t', scopes: ['read'] } },
        },
        'openapi:api.example.com:oauth:read',
      ],
      [
        {
          type: 'oauth2',
          flows: { clientCredentials: { tokenUrl: 'https://as.example/t', scopes: ['write', 'read'] } },
        },
        'openapi:api.example.com:oauth:read write',
      ],
    ]);
  });

  it('are obtained by the client of the application, and obtained anew where the API refuses them', async () => {
    let issued = 0;
    api.answer = ({ url, headers }, response) => {
      response.setHeader('content-type', 'application/json');
      if (url === '/token')
        response.end(JSON.stringify({ access_token: `t${String(++issued)}`, token_type: 'Bearer' }));
      else {
        response.statusCode = headers.authorization === 'Bearer t2' ? 200 : 401;
        response.end('{}');
      }
    };
    const flows = { clientCredentials: { tokenUrl: `${api.url}/token`, scopes: { read: 'Read.' } } };
    const document = documentWith(
      { '/me': { get: { operationId: 'me', security: [{ as: ['read'] }] } } },
      { components: { securitySchemes: { as: { type: 'oauth2', flows } } } },
    );
    const credential = { type: 'oauthClient', clientId: 'app', clientSecret: 'secret' } as const;
    const toolset = openApiToolset(document, { baseUrl: api.url, auth: { as: { credential } } });
    await using runner = await runnerOf(toolset, 2, [oauth()]);
    const warn = jest.spyOn(console, 'warn').mockReturnValue();

    await runner.run({ ...ADDRESS, message: 'Go.' });
    const events = await eventsOf(runner.run({ ...ADDRESS, message: 'Again.' }));

    expect(events.flatMap(({ functionResponses }) => functionResponses)[0]?.response).toEqual({
      status: 200,
      body: {},
    });
    expect(api.seen[0]?.body.toString()).toContain('scope=read');
    warn.mockRestore();
  });

  it.each([[[{ mutual: [] }]], [[{ digest: [], key: [] }]], [[{ nothing: [] }]]])(
    'are never left out: an operation with %j is a typed error',
    async (security) => {
      await expect(secured(security).listTools()).rejects.toMatchObject({
        code: 'OPENAPI_OPERATION_UNSUPPORTED',
      });
    },
  );

  it('are not sent over http to another machine', async () => {
    const toolset = secured([{ key: [] }], { baseUrl: 'http://api.example.com' });

    await expect(toolset.listTools()).rejects.toThrow('would be sent over http to api.example.com');
    expect(
      await secured([{ key: [] }], { baseUrl: 'http://intra', privateHosts: ['intra'] }).listTools(),
    ).toHaveLength(1);
  });

  it.each(['key', 'alias'])(
    'S8 are dropped where a redirect leads to another origin, of the scheme %s',
    async (name) => {
      const other = await EchoApi.start();
      api.answer = (_request, response) => {
        response.writeHead(302, { location: `${other.url}/elsewhere` });
        response.end();
      };
      const auth = { [name]: { credential: { type: 'apiKey', apiKey: 's' } as const } };
      const toolset = secured([{ [name]: [] }], { auth, privateHosts: ['127.0.0.1'] });

      expect(await callThrough(toolset, 'me', {})).toMatchObject({ status: 200 });
      expect([api.last.headers['x-key'], other.last.headers['x-key']]).toEqual(['s', undefined]);
      await other.stop();
    },
  );

  it('S8 a redirect of a write is shown, and not followed', async () => {
    api.answer = (_request, response) => {
      response.writeHead(307, { location: '/elsewhere' });
      response.end();
    };
    const toolset = openApiToolset(documentWith({ '/a': { post: { operationId: 'send' } } }), {
      baseUrl: api.url,
    });

    expect(await callThrough(toolset, 'send', {})).toEqual({
      status: 307,
      body: null,
      location: '/elsewhere',
    });
    expect(api.seen).toHaveLength(1);
  });
});

function secured(security: object[], options: OpenApiToolsetOptions = {}) {
  const paths = { '/me': { get: { operationId: 'me', security } } };
  return openApiToolset(documentWith(paths, { components: { securitySchemes } }), {
    baseUrl: api.url,
    ...options,
  });
}

function runnerOf(
  toolset: ReturnType<typeof openApiToolset>,
  runs = 1,
  modules: readonly ContainerModule[] = [],
): Promise<Runner> {
  const turns = Array.from({ length: runs }).flatMap((_each, index) => [
    callsTool('me', {}, `c${String(index)}`),
    says('Done.'),
  ]);
  const clerk = defineAgent({ name: 'clerk', tools: [toolset] });
  return createRunner(clerk, { model: new ScriptedModel(...turns), modules });
}
