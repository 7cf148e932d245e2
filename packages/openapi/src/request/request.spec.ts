import { callThrough, documentWith, EchoApi } from '../echo-api.fixture.js';
import { openApiToolset } from '../openapi.toolset.js';

let api: EchoApi;
beforeEach(async () => {
  api = await EchoApi.start();
});
afterEach(() => api.stop());

const STYLED = {
  '/files/{name}/{range}/info': {
    get: {
      operationId: 'fileInfo',
      parameters: [
        { name: 'name', in: 'path', required: true, schema: { type: 'string' } },
        { name: 'range', in: 'path', required: true, style: 'matrix', schema: { type: 'array', items: {} } },
        { name: 'filter', in: 'query', style: 'deepObject', schema: { type: 'object' } },
        {
          name: 'ids',
          in: 'query',
          style: 'pipeDelimited',
          explode: false,
          schema: { type: 'array', items: {} },
        },
        { name: 'where', in: 'query', content: { 'application/json': { schema: { type: 'object' } } } },
        { name: 'next', in: 'query', allowReserved: true, schema: { type: 'string' } },
        { name: 'X-Tags', in: 'header', schema: { type: 'array', items: { type: 'string' } } },
        { name: 'theme', in: 'cookie', schema: { type: 'string' } },
        { name: 'Authorization', in: 'header', schema: { type: 'string' } },
        { name: 'Host', in: 'header', schema: { type: 'string' } },
      ],
    },
  },
};
const FILE = { name: 'a b', range: [1, 2] };

describe('a request', () => {
  it('has every parameter in its place and style; headers that frame a request are no parameters', async () => {
    await callThrough(styled(), 'file_info', {
      ...FILE,
      filter: { state: 'open' },
      ids: [3, 4],
      where: { a: [1] },
      next: '/b?c',
      x_tags: ['x', 'y'],
      theme: 'dark mode',
    });

    expect(api.last).toMatchObject({
      url: '/v1/files/a%20b/;range=1,2/info?filter%5Bstate%5D=open&ids=3%7C4&where=%7B%22a%22%3A%5B1%5D%7D&next=/b?c',
      headers: { 'x-tags': 'x,y', cookie: 'theme=dark%20mode' },
    });
    expect(await callThrough(styled(), 'file_info', { ...FILE, host: 'evil' })).toHaveProperty('error');
  });

  it.each(['..', '.', '', '../../admin', 'a/../../b', '..\\admin', 'x/.', 'a\u0000b', '%2e%2e', 'a\r\nb'])(
    'S8 does not leave its path segment for %j',
    async (name) => {
      const response = await callThrough(styled(), 'file_info', { ...FILE, name });

      expect(response).toEqual({ error: expect.stringContaining('part of a path') as unknown });
      expect(api.seen).toEqual([]);
    },
  );

  it.each([
    ['a?x=1', '/v1/files/a%3Fx%3D1/;range=1,2/info'],
    ['a#b', '/v1/files/a%23b/;range=1,2/info'],
    ['a/b', '/v1/files/a%2Fb/;range=1,2/info'],
    ['//evil.example', '/v1/files/%2F%2Fevil.example/;range=1,2/info'],
    ['@evil.example', '/v1/files/%40evil.example/;range=1,2/info'],
  ])('S8 encodes %j in its path segment', async (name, url) => {
    await callThrough(styled(), 'file_info', { ...FILE, name });

    expect(api.last.url).toBe(url);
  });

  it.each([{ x_tags: ['a\r\nx-evil: 1'] }, { x_tags: ['Δ'] }, { theme: 'a; admin=1' }, { theme: 'a\nb' }])(
    'refuses %j, which would break out of a header or a cookie',
    async (args) => {
      const response = await callThrough(styled(), 'file_info', { ...FILE, ...args });

      expect(response).toEqual({ error: expect.stringMatching(/is a (header|cookie)/) as unknown });
      expect(api.seen).toEqual([]);
    },
  );

  it.each<[string, Record<string, unknown>, string]>([
    ['/responses?beta=true', {}, '/v1/responses?beta=true'],
    ['/responses?beta=true#later', { q: 'a b' }, '/v1/responses?beta=true&q=a%20b'],
    ['/?Action=Delete', { action: 'Stop', f: { Action: 'Stop', x: 1 } }, '/v1/?Action=Delete&x=1'],
    ['/of/{id}?kind={kind}', { id: 'a?b', kind: 'c&d' }, '/v1/of/a%3Fb?kind=c%26d'],
  ])('keeps the query of the path %s, whatever the arguments', async (path, args, url) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const parameters = [
      ...names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      { name: 'q', in: 'query', schema: { type: 'string' } },
      { name: 'f', in: 'query', schema: { type: 'object' } },
      ...(path.includes('Action') ? [{ name: 'Action', in: 'query', schema: { type: 'string' } }] : []),
    ];
    const toolset = openApiToolset(documentWith({ [path]: { get: { operationId: 'a', parameters } } }), {
      baseUrl: `${api.url}/v1`,
    });
    const [tool] = await toolset.listTools();
    const declared = Object.keys(
      (tool?.declaration().parametersJsonSchema as { properties: object }).properties,
    );
    const known = Object.entries(args).filter(([name]) => declared.includes(name));

    await callThrough(toolset, 'a', Object.fromEntries(known));

    expect(api.last.url).toBe(url);
    expect(declared).not.toContain('action');
  });

  it('does not send what every object inherits for a parameter that is not given', async () => {
    const parameters = ['constructor', '__proto__', 'valueOf'].map((name) => ({
      name,
      in: 'query',
      schema: {},
    }));
    const toolset = openApiToolset(documentWith({ '/a': { get: { operationId: 'a', parameters } } }), {
      baseUrl: api.url,
    });

    await callThrough(toolset, 'a', {});
    expect(api.last.url).toBe('/a');
    await callThrough(toolset, 'a', { constructor: 1, proto: 2 });
    expect(api.last.url).toBe('/a?constructor=1&__proto__=2');
  });

  it('does not let two parameters of a segment come to a step upwards', async () => {
    const toolset = openApiToolset(
      documentWith({
        '/a/{x}{y}/b': {
          get: {
            operationId: 'two',
            parameters: ['x', 'y'].map((name) => ({
              name,
              in: 'path',
              required: true,
              schema: { type: 'string' },
            })),
          },
        },
      }),
      { baseUrl: api.url },
    );

    expect(await callThrough(toolset, 'two', { x: '.', y: '.' })).toHaveProperty('error');
    expect(api.seen).toEqual([]);
  });

  it.each<[string, object, unknown, string | RegExp, string | RegExp]>([
    ['application/merge-patch+json', {}, { a: null }, 'application/merge-patch+json', '{"a":null}'],
    [
      'application/x-www-form-urlencoded',
      {},
      { a: 'x y&z', list: [1, 2], o: { b: 1 } },
      'application/x-www-form-urlencoded',
      'a=x%20y%26z&list=1&list=2&o=%7B%22b%22%3A1%7D',
    ],
    [
      'application/x-www-form-urlencoded',
      { list: { style: 'pipeDelimited', explode: false }, o: { style: 'deepObject' } },
      { list: [1, 2], o: { b: 1 } },
      'application/x-www-form-urlencoded',
      'list=1%7C2&o%5Bb%5D=1',
    ],
    ['application/octet-stream', {}, 'aGVsbG8=', 'application/octet-stream', 'hello'],
    ['image/*', {}, 'aGVsbG8=', 'application/octet-stream', 'hello'],
    ['text/csv', {}, 'a,b', 'text/csv', 'a,b'],
    ['application/xml', {}, '<a/>', 'application/xml', '<a/>'],
    [
      'multipart/form-data',
      { meta: { contentType: 'application/json' } },
      { meta: { b: 1 }, file: 'aGVsbG8=', note: 'hi', tags: ['x', 'y'] },
      /^multipart\/form-data; boundary=/,
      /name="meta"[^]*application\/json\r\n\r\n\{"b":1\}[^]*name="file"; filename="file"[^]*octet-stream\r\n\r\nhello\r\n[^]*name="note"\r\n\r\nhi[^]*name="tags"\r\n\r\nx[^]*name="tags"\r\n\r\ny/,
    ],
  ])('sends a body of %s with %j', async (mediaType, encoding, body, sentType, sent) => {
    const schema = { type: 'object', properties: { file: { type: 'string', format: 'binary' } } };
    const content = {
      [mediaType]: { schema: typeof body === 'string' ? { type: 'string' } : schema, encoding },
    };
    const toolset = openApiToolset(
      documentWith({ '/b': { post: { operationId: 'send', requestBody: { content } } } }),
      {
        baseUrl: api.url,
      },
    );

    expect(await callThrough(toolset, 'send', { body })).toMatchObject({ status: 200 });
    expect(api.last.headers['content-type']).toEqual(
      expect.stringMatching(typeof sentType === 'string' ? escaped(sentType) : sentType) as unknown,
    );
    expect(api.last.body.toString()).toEqual(
      expect.stringMatching(typeof sent === 'string' ? escaped(sent) : sent),
    );
  });

  const FILE_PART = { type: 'object', properties: { file: { type: 'string', format: 'binary' } } };
  const NAME_PART = { type: 'object', properties: { name: { type: 'string' } } };
  it.each<[string, object, object, unknown, string]>([
    [
      'all of a file and a name',
      { allOf: [FILE_PART, NAME_PART] },
      {},
      { file: 'aGVsbG8=', name: 'n' },
      'file',
    ],
    [
      'one of several forms',
      {
        oneOf: [
          { required: ['name'], ...NAME_PART },
          { required: ['file'], ...FILE_PART },
        ],
      },
      {},
      { file: 'aGVsbG8=' },
      'file',
    ],
    [
      'a file that is all of bytes',
      { properties: { file: { allOf: [{ type: 'string', format: 'binary' }] } } },
      {},
      { file: 'aGVsbG8=' },
      'file',
    ],
    [
      'a file or a list of files',
      {
        properties: {
          file: { oneOf: [FILE_PART.properties.file, { type: 'array', items: FILE_PART.properties.file }] },
        },
      },
      {},
      { file: ['aGVsbG8='] },
      'file',
    ],
    [
      'a part without a schema',
      { properties: { pic: {} } },
      { pic: { contentType: 'image/png' } },
      { pic: 'aGVsbG8=' },
      'pic',
    ],
    [
      'a list of parts without a schema',
      { allOf: [{ properties: { pic: { type: 'array', items: {} } } }] },
      { pic: { contentType: 'image/png, image/jpeg' } },
      { pic: ['aGVsbG8='] },
      'pic',
    ],
  ])('sends the bytes of %s as a file, as it is declared', async (_what, schema, encoding, body, name) => {
    const content = { 'multipart/form-data': { schema, encoding } };
    const toolset = openApiToolset(
      documentWith({ '/b': { post: { operationId: 'send', requestBody: { content } } } }),
      { baseUrl: api.url },
    );
    const [tool] = await toolset.listTools();

    expect(JSON.stringify(tool?.declaration())).toContain('"contentEncoding":"base64"');
    expect(await callThrough(toolset, 'send', { body })).toMatchObject({ status: 200 });
    expect(api.last.body.toString()).toMatch(
      new RegExp(`name="${name}"; filename="${name}"\r\nContent-Type: [^\r]+\r\n\r\nhello\r\n`),
    );
  });

  it('sends the text of a part that may be a file or a URL', async () => {
    const schema = {
      properties: { image: { anyOf: [{ format: 'binary' }, { type: 'string', format: 'uri' }] } },
    };
    const toolset = openApiToolset(
      documentWith({
        '/b': {
          post: { operationId: 'send', requestBody: { content: { 'multipart/form-data': { schema } } } },
        },
      }),
      { baseUrl: api.url },
    );

    await callThrough(toolset, 'send', { body: { image: 'https://example.com/a.png' } });

    expect(api.last.body.toString()).toMatch(/name="image"\r\n\r\nhttps:\/\/example.com\/a.png\r\n/);
  });

  it.each<[string, RegExp]>([
    ['multipart/mixed', /^multipart\/mixed; boundary=/],
    ['multipart/related', /^multipart\/related; boundary=/],
    ['multipart/form-data', /^multipart\/form-data; boundary=/],
    ['multipart/*', /^multipart\/form-data; boundary=/],
  ])('sends the parts of %s in its own type, and only files with a file name', async (mediaType, type) => {
    const schema = {
      properties: {
        text: { type: 'string' },
        'a"b': { type: 'object' },
        file: { type: 'string', format: 'binary' },
      },
    };
    const content = { [mediaType]: { schema } };
    const toolset = openApiToolset(
      documentWith({ '/b': { post: { operationId: 'send', requestBody: { content } } } }),
      { baseUrl: api.url },
    );

    await callThrough(toolset, 'send', { body: { text: 'hï', 'a"b': { k: 1 }, file: 'aGVsbG8=' } });

    const { headers, body } = api.last;
    expect(headers['content-type']).toMatch(type);
    const boundary = /boundary=(.+)$/.exec(String(headers['content-type']))?.[1] ?? '';
    const part = (fields: string, value: string) => `--${boundary}\r\n${fields}\r\n\r\n${value}\r\n`;
    const named = 'Content-Disposition: form-data; name=';
    expect(body.toString()).toBe(
      [
        part(`${named}"text"`, 'hï'),
        part(`${named}"a%22b"\r\nContent-Type: application/json`, '{"k":1}'),
        part(`${named}"file"; filename="file"\r\nContent-Type: application/octet-stream`, 'hello'),
        `--${boundary}--\r\n`,
      ].join(''),
    );
  });

  it('sends a parameter of a text type as it is, and of a JSON type as JSON', async () => {
    const content = (type: string) => ({ [type]: { schema: { type: 'string' } } });
    const parameters = ['text/plain', 'application/json', 'application/vnd.x+json', 'text/csv'].map(
      (type, index) => ({ name: `p${String(index)}`, in: 'query', content: content(type) }),
    );
    const toolset = openApiToolset(documentWith({ '/a': { get: { operationId: 'a', parameters } } }), {
      baseUrl: api.url,
    });

    await callThrough(toolset, 'a', { p0: 'a', p1: 'a', p2: 'a', p3: 'a' });

    expect(api.last.url).toBe('/a?p0=a&p1=%22a%22&p2=%22a%22&p3=a');
  });

  it.each<[string, string, Buffer]>([
    ['text/plain; charset=iso-8859-1', 'größe', Buffer.from('größe', 'latin1')],
    ['application/json; charset="UTF-16LE"', 'größe', Buffer.from('"größe"', 'utf16le')],
    ['text/plain; charset=nonsense', 'größe', Buffer.from('größe')],
    ['text/plain', 'größe', Buffer.from('größe')],
  ])('reads a response of %s in its charset', async (type, text, bytes) => {
    api.answer = (_request, response) => {
      response.setHeader('content-type', type);
      response.end(bytes);
    };
    const toolset = openApiToolset(documentWith({ '/a': { get: { operationId: 'a' } } }), {
      baseUrl: api.url,
    });

    expect(await callThrough(toolset, 'a', {})).toEqual({ status: 200, body: text });
  });

  it('logs a request that was refused in one line, without a stack', async () => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    const toolset = openApiToolset(
      documentWith({ '/a': { get: { operationId: 'a' } } }, { servers: [{ url: 'http://10.0.0.1' }] }),
    );

    expect(await callThrough(toolset, 'a', {})).toHaveProperty('error');

    const lines = warn.mock.calls.map(([line]) => String(line));
    warn.mockRestore();
    expect(lines).toEqual([
      expect.stringMatching(/^adorn: the request of "a" failed: The request was blocked.*$/),
    ]);
  });

  it('prefers JSON where several media types are offered', async () => {
    const content = { 'text/plain': {}, 'application/json': { schema: { type: 'object' } }, 'image/png': {} };
    const toolset = openApiToolset(
      documentWith({ '/b': { put: { operationId: 'send', requestBody: { content } } } }),
      {
        baseUrl: api.url,
      },
    );

    await callThrough(toolset, 'send', { body: { a: 1 } });

    expect(api.last).toMatchObject({ method: 'PUT', headers: { 'content-type': 'application/json' } });
  });

  it('refuses bytes that are not base64', async () => {
    const content = { 'application/octet-stream': {} };
    const toolset = openApiToolset(
      documentWith({ '/b': { put: { operationId: 'send', requestBody: { content } } } }),
      {
        baseUrl: api.url,
      },
    );

    expect(await callThrough(toolset, 'send', { body: 'not base64!' })).toEqual({
      error: '"body" must be base64.',
    });
  });
});

function styled() {
  return openApiToolset(documentWith(STYLED), { baseUrl: `${api.url}/v1/` });
}

function escaped(text: string): RegExp {
  return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
}
