import { request as httpRequest } from 'node:http';

import { says } from '@adorn/testing';

import { adornHandler } from '../adorn-handler.js';
import { Desk, openDesk } from '../desk.fixture.js';
import { TestDesk } from '../request.fixture.js';
import { serve } from '../serve.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Sends a request with any headers, which `fetch` would not. */
function raw(
  url: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: object; body?: string } = {},
) {
  return new Promise<number>((resolve, reject) => {
    const sent = httpRequest(url, { method, headers: headers as Record<string, string> }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

describe('a server', () => {
  it('answers only requests with its token, which a page gets as a cookie', async () => {
    await using runner = await openDesk([]);
    await using server = await serve(runner, { port: 0 });
    const token = server.token ?? '';
    const listApps = `${server.url}/list-apps`;
    expect(await raw(listApps)).toBe(401);
    expect(await raw(listApps, { headers: { authorization: `Bearer ${token.slice(1)}` } })).toBe(401);
    expect(await raw(listApps, { headers: { authorization: `Bearer ${token}` } })).toBe(200);
    const page = await fetch(server.pageUrl, { redirect: 'manual' });
    expect([page.status, page.headers.get('location')]).toEqual([302, '/']);
    const cookie = page.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(await raw(listApps, { headers: { cookie: cookie.split(';')[0] ?? '' } })).toBe(200);
    const refused = await fetch(listApps);
    expect(refused.headers.get('www-authenticate')).toBe('Bearer');
    expect(JSON.stringify(await refused.json())).not.toContain(token);
  });

  it('refuses foreign hosts on every method, also with the token', async () => {
    await using runner = await openDesk([]);
    await using server = await serve(runner, { port: 0 });
    const authorization = `Bearer ${server.token ?? ''}`;
    const hosts = [
      'evil.example',
      'evil.example:8000',
      '127.0.0.1.evil.example',
      'localhost.evil.example',
      '[::2]',
      '10.0.0.1',
    ];
    let refused = 0;
    for (const method of METHODS)
      for (const host of hosts) {
        const status = await raw(`${server.url}/list-apps`, { method, headers: { host, authorization } });
        if (status === 403) refused++;
      }
    expect(refused).toBe(METHODS.length * hosts.length);
  });

  it('refuses pages of other origins, and forms of any page', async () => {
    await using runner = await openDesk([]);
    await using server = await serve(runner, { port: 0 });
    const authorization = `Bearer ${server.token ?? ''}`;
    const url = `${server.url}/apps/desk/users/u/sessions`;
    const origins = [
      'https://evil.example',
      'null',
      'http://127.0.0.1:1',
      'http://localhost',
      'file://',
      `${server.url}.evil.example`,
    ];
    for (const method of METHODS)
      for (const origin of origins)
        expect(
          await raw(url, { method, headers: { authorization, origin, 'content-type': 'application/json' } }),
        ).toBe(403);
    for (const site of ['cross-site', 'same-site'])
      expect(
        await raw(url, { headers: { authorization, 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors' } }),
      ).toBe(403);
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'text/plain; application/json',
    ])
      expect(
        await raw(url, { method: 'POST', headers: { authorization, 'content-type': type }, body: '{}' }),
      ).toBe(415);
    expect(
      await raw(url, {
        method: 'POST',
        headers: { authorization, origin: server.url, 'content-type': 'application/json' },
        body: '{}',
      }),
    ).toBe(200);
  });

  it('lets listed pages call, and answers their preflights', async () => {
    const origin = 'https://app.example.com';
    await using desk = await TestDesk.open([], { allowedOrigins: [origin] });
    const preflight = await desk.send('/run_sse', { method: 'OPTIONS', headers: { origin } });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
    const called = await desk.send('/list-apps', { headers: { origin } });
    expect(called.headers.get('access-control-allow-origin')).toBe(origin);
    expect(
      (await desk.send('/list-apps', { headers: { origin: 'https://app.example.com.evil' } })).status,
    ).toBe(403);
  });

  it('lets listed pages send whatever headers they like', async () => {
    const origin = 'https://app.example.com';
    await using desk = await TestDesk.open([], { allowedOrigins: [origin] });
    for (const asked of [
      'authorization,content-type',
      'content-type,user-agent',
      'traceparent',
      'x-api-key,x-tenant',
    ]) {
      const headers = {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': asked,
      };
      const { headers: answered } = await desk.send('/run_sse', { method: 'OPTIONS', headers });
      expect(answered.get('access-control-allow-headers')).toBe(asked);
      expect(answered.get('vary')).toMatch(/access-control-request-headers/);
    }
    const headers = { origin: 'https://evil.example', 'access-control-request-headers': 'x-api-key' };
    const refused = await desk.send('/run_sse', { method: 'OPTIONS', headers });
    expect([refused.status, refused.headers.get('access-control-allow-headers')]).toEqual([403, null]);
  });

  it('is reached by the names of this machine, whatever other names it has', async () => {
    await using desk = await TestDesk.open([], { allowedHosts: ['app.example.com'] });
    const statusFor = async (host: string) => (await desk.send('/list-apps', { headers: { host } })).status;
    for (const host of ['app.example.com', 'localhost:3000', '127.0.0.1', '[::1]:8000'])
      expect([host, await statusFor(host)]).toEqual([host, 200]);
    for (const host of ['evil.example', 'localhost.evil.example'])
      expect([host, await statusFor(host)]).toEqual([host, 403]);
  });

  it('refuses state that is too deep to store', async () => {
    await using desk = await TestDesk.open([]);
    const deep = (levels: number) => `{"state":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}`;
    const statusFor = async (levels: number) =>
      (await desk.send('/adorn/apps/desk/sessions', { body: deep(levels) })).status;
    expect([await statusFor(198), await statusFor(199), await statusFor(40_000)]).toEqual([201, 400, 400]);
  });

  it('does not listen where others reach it without saying who may call', async () => {
    for (const host of ['0.0.0.0', '::', '192.168.0.1', 'example.com'])
      await expect(serve(Desk, { host, port: 0 })).rejects.toMatchObject({ code: 'SERVER_OPTION_INVALID' });
    await expect(adornHandler(Desk, {})).rejects.toThrow('nothing says who may call');
    await using runner = await openDesk([]);
    const warnings: string[] = [];
    const logger = { warn: (text: string) => void warnings.push(text), error: noop, info: noop, debug: noop };
    const options = { host: '0.0.0.0', port: 0, logger, dangerouslyAllowUnauthenticatedRemote: true };
    await using server = await serve(runner, options);
    expect([server.token, warnings]).toEqual([
      undefined,
      [expect.stringContaining('can be reached from other machines')],
    ]);
  });

  it('refuses options that do not exist or cannot be used, with a cure', async () => {
    const authenticate = () => 'ada';
    for (const [options, fault] of [
      [{ authentcate: authenticate }, 'Did you mean authenticate?'],
      [{ authenticate: 'ada' }, 'authenticate is a text'],
      [{ token: 'short' }, 'at least 16 characters'],
      [{ token: 'x'.repeat(16), authenticate }, 'it has authenticate and a token'],
      [{ authenticate, basePath: 'agents' }, 'basePath is "agents"'],
      [{ authenticate, allowedHosts: 'all' }, 'allowedHosts is "all"'],
      [{ authenticate, allowedOrigins: ['app.example.com'] }, 'no list of origins'],
      [{ authenticate, limits: { bodyBytes: 0 } }, 'limits.bodyBytes is 0'],
      [{ authenticate, reconnectGrace: -1 }, 'reconnectGrace is -1'],
      [null, 'the options is null'],
    ] as const)
      await expect(adornHandler(Desk, options as never)).rejects.toThrow(fault);
    for (const sources of [[], [{}], 7, null])
      await expect(adornHandler(sources as never, { authenticate })).rejects.toMatchObject({
        code: 'SERVER_OPTION_INVALID',
      });
  });

  it('believes a principal only', async () => {
    await using runner = await openDesk([says('no')]);
    const logged: unknown[] = [];
    const logger = { debug: noop, info: noop, warn: noop, error: (text: string) => void logged.push(text) };
    const nobody = [undefined, null, ''];
    const broken = [
      ...[
        7,
        {},
        { userId: '' },
        { userId: 7 },
        [],
        true,
        { id: null, userId: 'ada' },
        { id: 7, userId: 'ada' },
      ],
      ...[
        { id: 'ada', roles: null },
        { id: 'ada', roles: 'manager' },
        { id: 'ada', tenant: {} },
      ],
      ...[
        { id: 'ada', tenant: null },
        { id: 'ada', isDeveloper: 'false' },
        { id: 'ada', channel: 7 },
      ],
    ];
    for (const principal of [...nobody, ...broken]) {
      const handler = await adornHandler(runner, { authenticate: () => principal as never, logger });
      const response = await handler(new Request('http://localhost/list-apps'));
      expect([principal, response.status]).toEqual([principal, 401]);
    }
    expect(logged).toHaveLength(broken.length);
  });

  it('lets clients write keys of the session only', async () => {
    await using desk = await TestDesk.open([says('Hi.')]);
    await desk.session('s1');
    const newMessage = { parts: [{ text: 'Hi' }] };
    let refused = 0;
    const keys = ['app:x', 'user:x', 'temp:x', '_adorn', '_adorn:calls', '__proto__'];
    for (const key of keys) {
      const state = `{${JSON.stringify(key)}:1}`;
      for (const [path, body, method] of [
        ['/apps/desk/users/ada/sessions', `{"state":${state}}`, 'POST'],
        ['/apps/desk/users/ada/sessions/s2', `{"state":${state}}`, 'POST'],
        ['/apps/desk/users/ada/sessions/s1', `{"stateDelta":${state}}`, 'PATCH'],
        [
          '/run',
          `{"sessionId":"s1","newMessage":${JSON.stringify(newMessage)},"stateDelta":${state}}`,
          'POST',
        ],
        [
          '/run_sse',
          `{"sessionId":"s1","newMessage":${JSON.stringify(newMessage)},"state_delta":${state}}`,
          'POST',
        ],
        ['/adorn/apps/desk/sessions', `{"state":${state}}`, 'POST'],
        ['/adorn/apps/desk/sessions/s1', `{"stateDelta":${state}}`, 'PATCH'],
        ['/adorn/apps/desk/sessions/s1/runs', `{"message":"Hi","stateDelta":${state}}`, 'POST'],
      ] as const) {
        const response = await desk.send(path, { method, body });
        if (response.status === 400 && (await response.text()).includes('state cannot be written')) refused++;
      }
    }
    expect(refused).toBe(keys.length * 8);
    expect(await desk.json('/apps/desk/users/ada/sessions/s1')).toMatchObject({ state: {}, events: [] });
  });
});

function noop(): void {
  // Not read.
}
