import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import { guardedFetch } from './guarded-fetch.js';
import type { GuardedFetchOptions } from './options.js';

const LOOPBACK = '127.0.0.1';
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

describe('S9 guardedFetch blocks what is not public', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.0.0.1./',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://017700000001/',
    'http://[::1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://0/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/',
    'http://localhost/',
    'http://LOCALHOST/',
  ])('%s', async (url) => {
    const { seen } = await serve((_request, response) => response.end('secret'));

    await expect(guardedFetch({ timeout: 5_000 })(url)).rejects.toMatchObject({
      code: 'HTTP_ADDRESS_BLOCKED',
    });
    expect(seen).toEqual([]);
  });

  it.each([
    'file:///etc/passwd',
    'data:text/plain,x',
    'ftp://example.com/',
    'http://user:secret@example.com/',
  ])('%s, whose scheme or parts are not allowed', async (url) => {
    const refused = guardedFetch()(url);

    await expect(refused).rejects.toMatchObject({ code: 'HTTP_ADDRESS_BLOCKED' });
    await expect(refused).rejects.not.toThrow('secret');
  });

  it.each(['', '/pets', 'example.com'])('%j, which is no absolute URL', async (url) => {
    await expect(guardedFetch()(url)).rejects.toMatchObject({ code: 'HTTP_ADDRESS_BLOCKED' });
  });

  it('a name with a trailing dot', async () => {
    const fetch = guardedFetch({ resolve: answering(LOOPBACK) });

    await expect(fetch('http://localhost./')).rejects.toMatchObject({ code: 'HTTP_ADDRESS_BLOCKED' });
  });

  it('a public name that resolves to a private address when it is connected to', async () => {
    const { port, seen } = await serve((_request, response) => response.end('secret'));
    const fetch = guardedFetch({ resolve: answering(LOOPBACK) });

    await expect(fetch(`http://rebind.example:${port}/`)).rejects.toMatchObject({
      code: 'HTTP_ADDRESS_BLOCKED',
      message: expect.stringContaining("privateHosts: ['rebind.example']") as unknown,
    });
    expect(seen).toEqual([]);
  });

  it('a name of which one address of several is private', async () => {
    const fetch = guardedFetch({ resolve: answering('1.1.1.1', '::ffff:10.0.0.1') });

    await expect(fetch('http://mixed.example/')).rejects.toMatchObject({ code: 'HTTP_ADDRESS_BLOCKED' });
  });

  it('a listed name that resolves to a metadata service', async () => {
    const fetch = guardedFetch({
      privateHosts: ['internal.example'],
      resolve: answering('169.254.169.254'),
    });

    await expect(fetch('http://internal.example/')).rejects.toMatchObject({ code: 'HTTP_ADDRESS_BLOCKED' });
  });

  it('another port of a host that is listed with its port', async () => {
    const { port } = await serve((_request, response) => response.end('here'));

    const fetch = guardedFetch({ privateHosts: [`localhost:${port}`] });

    expect(await (await fetch(`http://localhost:${port}/`)).text()).toBe('here');
    await expect(fetch('http://localhost:65000/')).rejects.toMatchObject({ code: 'HTTP_ADDRESS_BLOCKED' });
  });

  it('a redirect to a private address, also at the end of a chain', async () => {
    const { port, seen } = await serve((request, response) => {
      if (request.url === '/private') response.end('secret');
      else redirect(response, request.url === '/' ? '/next' : `http://localhost:${port}/private`);
    });
    const fetch = guardedFetch({ privateHosts: [LOOPBACK] });

    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ code: 'HTTP_ADDRESS_BLOCKED' });
    expect(seen.map(({ url }) => url)).toEqual(['/', '/next']);
  });

  it.each(['file:///etc/passwd', 'javascript:alert(1)', 'http://u:p@127.0.0.1/'])(
    'a redirect to %s',
    async (location) => {
      const { port } = await serve((_request, response) => {
        redirect(response, location);
      });

      await expect(
        guardedFetch({ privateHosts: [LOOPBACK] })(`http://127.0.0.1:${port}/`),
      ).rejects.toMatchObject({ code: 'HTTP_ADDRESS_BLOCKED' });
    },
  );
});

describe('guardedFetch', () => {
  it('connects to the address that it checked, and resolves a name once for a connection', async () => {
    const { port } = await serve((_request, response) => response.end('here'));
    const resolve = jest.fn(answering(LOOPBACK));
    const fetch = guardedFetch({ privateHosts: ['api.internal'], resolve });

    const response = await fetch(`http://api.internal:${port}/a`);

    expect([response.status, response.url, await response.text()]).toEqual([
      200,
      `http://api.internal:${port}/a`,
      'here',
    ]);
    expect(resolve.mock.calls).toEqual([['api.internal']]);
    await fetch.close();
  });

  it('sends method, headers and body, and gives a Response of the platform', async () => {
    const { port } = await serve((request, response) => {
      response.setHeader('x-method', String(request.method));
      request.pipe(response);
    });
    const response = await allowed()(`http://127.0.0.1:${port}/`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"a":1}',
    });

    expect(response).toBeInstanceOf(Response);
    expect([response.headers.get('x-method'), await response.json()]).toEqual(['PUT', { a: 1 }]);
  });

  it('sends a form of the platform', async () => {
    const { port, seen, bodies } = await serve((_request, response) => response.end());
    const form = new FormData();
    form.append('a', 'b');

    await allowed()(`http://127.0.0.1:${port}/`, { method: 'POST', body: form });

    expect(seen[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(bodies.get('/')).toContain('name="a"\r\n\r\nb');
  });

  const secrets = { authorization: 'Bearer s', cookie: 'c=s', 'x-api-key': 's', accept: 'text/plain' };

  it('keeps credentials on a redirect within an origin, and drops them across origins', async () => {
    const other = await serve((_request, response) => response.end('other'));
    const first = await serve((request, response) => {
      if (request.url === '/same') response.end('same');
      else redirect(response, request.url === '/in' ? '/same' : `http://127.0.0.1:${other.port}/`);
    });
    const fetch = allowed({ credentialHeaders: ['X-Api-Key'] });

    await fetch(`http://127.0.0.1:${first.port}/in`, { headers: secrets });
    await fetch(`http://127.0.0.1:${first.port}/out`, { headers: secrets });

    expect(first.seen.find(({ url }) => url === '/same')?.headers).toMatchObject(secrets);
    expect(other.seen[0]?.headers).toMatchObject({ accept: 'text/plain' });
    for (const name of ['authorization', 'cookie', 'x-api-key'])
      expect(other.seen[0]?.headers[name]).toBeUndefined();
  });

  it("drops all headers across origins but those that describe content, where credentialHeaders is 'all'", async () => {
    const other = await serve((_request, response) => response.end('other'));
    const first = await serve((_request, response) => {
      redirect(response, `http://127.0.0.1:${other.port}/`, 307);
    });
    const headers = { ...secrets, 'x-tenant': 'acme', 'content-type': 'text/plain' };

    await allowed({ credentialHeaders: 'all' })(`http://127.0.0.1:${first.port}/`, {
      method: 'POST',
      headers,
      body: 'data',
    });

    const seen = other.seen[0]?.headers ?? {};
    expect(seen).toMatchObject({ accept: 'text/plain', 'content-type': 'text/plain' });
    for (const name of ['authorization', 'cookie', 'x-api-key', 'x-tenant'])
      expect(seen[name]).toBeUndefined();
  });

  it.each([
    [301, 'POST', 'GET', ''],
    [303, 'PUT', 'GET', ''],
    [302, 'PUT', 'PUT', 'data'],
    [307, 'POST', 'POST', 'data'],
    [308, 'POST', 'POST', 'data'],
  ])('on a %i repeats %s as %s', async (status, method, repeated, body) => {
    const { port, seen, bodies } = await serve((request, response) => {
      if (request.url === '/end') response.end();
      else redirect(response, '/end', status);
    });

    await allowed()(`http://127.0.0.1:${port}/`, { method, body: 'data' });

    expect([seen[1]?.method, bodies.get('/end')]).toEqual([repeated, body]);
  });

  it('ends a chain of redirects, and returns a redirect where none is to be followed', async () => {
    const { port } = await serve((_request, response) => {
      redirect(response, '/again');
    });
    const url = `http://127.0.0.1:${port}/`;

    await expect(allowed({ maxRedirects: 3 })(url)).rejects.toMatchObject({ reason: 'redirects' });
    expect((await allowed({ maxRedirects: 0 })(url)).status).toBe(302);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['announced', (response) => response.end('x'.repeat(2_000))],
    [
      'without a length',
      (response) => {
        response.write('x'.repeat(1_000));
        response.end('x'.repeat(1_000));
      },
    ],
    [
      'compressed',
      (response) => {
        response.setHeader('content-encoding', 'gzip');
        response.end(gzipSync('x'.repeat(2_000_000)));
      },
    ],
  ])('refuses a body that is too large, %s', async (_how, answer) => {
    const { port } = await serve((_request, response) => {
      answer(response);
    });

    const read = async () => (await allowed({ maxBytes: 1_500 })(`http://127.0.0.1:${port}/`)).text();

    await expect(read()).rejects.toMatchObject({ code: 'HTTP_REQUEST_FAILED', reason: 'tooLarge' });
  });

  it('gives up a server that does not answer, and one that never ends its body', async () => {
    const { port } = await serve((request, response) => {
      if (request.url === '/body') response.write('begin');
    });
    const fetch = allowed({ timeout: 100, bodyTimeout: 100 });

    await expect(fetch(`http://127.0.0.1:${port}/silent`)).rejects.toMatchObject({ reason: 'timeout' });
    await expect((await fetch(`http://127.0.0.1:${port}/body`)).text()).rejects.toMatchObject({
      reason: 'timeout',
    });
  });

  it('stops when it is aborted, before and while the body is read', async () => {
    const { port } = await serve((request, response) => {
      if (request.url === '/body') response.write('begin');
    });
    const reason = new Error('enough');
    const stop = new AbortController();
    const silent = allowed()(`http://127.0.0.1:${port}/silent`, { signal: stop.signal });
    const response = await allowed()(`http://127.0.0.1:${port}/body`, { signal: stop.signal });
    const body = response.text();
    stop.abort(reason);

    await expect(silent).rejects.toBe(reason);
    await expect(body).rejects.toBeDefined();
  });

  it.each<[string, RequestInit]>([
    ['a header with a line break', { headers: { authorization: 'Bearer canary\r\nx: y' } }],
    ['a header with a space in its name', { headers: { 'a canary': '1' } }],
    ['a body of GET', { body: 'canary' }],
    ['a method that is none', { method: 'a canary' }],
  ])('refuses %s, and does not repeat it', async (_what, init) => {
    const refused = await allowed()('http://127.0.0.1:9/', init).catch((error: unknown) => error);

    expect(refused).toMatchObject({ code: 'HTTP_REQUEST_FAILED', reason: 'invalid' });
    expect(String(refused)).not.toContain('canary');
  });

  it('says of a dead server that it could not be reached', async () => {
    const { port, server } = await serve((_request, response) => response.end());
    server.close();
    await once(server, 'close');

    await expect(allowed()(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
      reason: 'unreachable',
      message: `The request to 127.0.0.1:${port} failed: the server could not be reached (ECONNREFUSED).`,
    });
  });

  it.each([
    [{ timeouts: 1 }, 'Did you mean timeout?'],
    [{ timeout: 0 }, 'timeout is 0'],
    [{ maxBytes: NaN }, 'maxBytes is NaN'],
    [{ maxRedirects: 1.5 }, 'maxRedirects is 1.5'],
    [{ privateHosts: 'localhost' }, 'privateHosts is a text'],
    [{ privateHosts: ['http://x'] }, 'privateHosts[0] is not valid'],
    [{ privateHosts: ['*'] }, 'privateHosts[0] is not valid'],
    [{ credentialHeaders: ['a b'] }, 'credentialHeaders[0] is not valid'],
    [{ resolve: 1 }, 'resolve is a number'],
    [null, 'its options are null'],
  ])('refuses the options %j', (options, words) => {
    expect(() => guardedFetch(options as GuardedFetchOptions)).toThrow(words);
  });
});

function allowed(options: GuardedFetchOptions = {}) {
  return guardedFetch({ privateHosts: [LOOPBACK], ...options });
}

function answering(...addresses: string[]) {
  return (_hostname: string) =>
    Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
}

function redirect(response: ServerResponse, location: string, status = 302): void {
  response.writeHead(status, { location });
  response.end();
}

/** A server on loopback that notes its requests. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const seen: IncomingMessage[] = [];
  const bodies = new Map<string, string>();
  const server = createServer((request, response) => {
    seen.push(request);
    bodies.set(String(request.url), '');
    request.on('data', (chunk) => {
      bodies.set(String(request.url), `${bodies.get(String(request.url)) ?? ''}${String(chunk)}`);
    });
    answer(request, response);
  });
  servers.push(server);
  await once(server.listen(0, LOOPBACK), 'listening');
  return { server, seen, bodies, port: String((server.address() as AddressInfo).port) };
}
