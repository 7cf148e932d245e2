import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import express from 'express';
import fc from 'fast-check';

import { toNodeHandler } from '../adapters/node-handler.js';
import { type AdornHandler, adornHandler } from '../adorn-handler.js';
import { createAdornClient } from '../client/index.js';
import { Desk, openDesk } from '../desk.fixture.js';
import type { HandlerOptions } from '../server-options.js';
import { pathAfterSignIn } from './sign-in.js';

const DOCUMENT = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
const SCRIPT = { accept: '*/*', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };

/** Knows who has the cookie of Ada. */
function authenticate({ headers }: Request): string | undefined {
  return headers.get('cookie') === 'session=of-ada' ? 'ada' : undefined;
}

async function openAt(options: Partial<HandlerOptions> = {}) {
  const runner = await openDesk([]);
  const handler = await adornHandler(runner, { authenticate, signIn: '/login', ...options });
  const send = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    handler(new Request(`http://localhost${path}`, { method, headers: { host: 'localhost', ...headers } }));
  return {
    handler,
    send,
    wayOf: async (path: string, headers: Record<string, string>, method?: string) => {
      const response = await send(path, headers, method);
      return response.headers.get('location') ?? response.status;
    },
    [Symbol.asyncDispose]: async () => {
      await handler.close();
      await runner.close();
    },
  };
}

describe('a browser of which authenticate names nobody', () => {
  it('is led to the sign-in page, which gets the path that was wanted', async () => {
    await using desk = await openAt({ page: true });
    expect(await desk.wayOf('/', DOCUMENT)).toBe('/login?next=%2F');
    expect(await desk.wayOf('/?app=desk&session=s1', DOCUMENT)).toBe(
      '/login?next=%2F%3Fapp%3Ddesk%26session%3Ds1',
    );
    expect(await desk.wayOf('/list-apps', { accept: 'text/html,*/*;q=0.8' })).toBe(
      '/login?next=%2Flist-apps',
    );
    expect(await desk.wayOf('/list-apps', { ...DOCUMENT, cookie: 'session=of-ada' })).toBe(200);
    await using other = await openAt({ signIn: '/account?via=sso' });
    expect(await other.wayOf('/list-apps', DOCUMENT)).toBe('/account?via=sso&next=%2Flist-apps');
  });

  it('is led nowhere by what is no document of a tab: that gets 401, and says where to sign in', async () => {
    await using desk = await openAt();
    const frame = { ...DOCUMENT, 'sec-fetch-dest': 'iframe' };
    const socket = { accept: 'text/html', 'sec-fetch-mode': 'websocket' };
    for (const headers of [SCRIPT, frame, socket, {}, { ...SCRIPT, accept: 'text/html' }])
      expect([headers, await desk.wayOf('/list-apps', headers)]).toEqual([headers, 401]);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'])
      expect(await desk.wayOf('/list-apps', DOCUMENT, method)).toBe(401);
    const refused = await desk.send('/list-apps', SCRIPT);
    expect(refused.headers.get('www-authenticate')).toBeNull();
    expect(await refused.json()).toMatchObject({
      error: 'The request was refused: authenticate has named nobody for it. Sign in at /login.',
      code: 'ACCESS_REFUSED',
      signIn: '/login',
    });
  });

  it('gets 401 without signIn, and no advice about a token that there is not', async () => {
    await using runner = await openDesk([]);
    const handler = await adornHandler(runner, { authenticate });
    const refused = await handler(new Request('http://localhost/list-apps', { headers: DOCUMENT }));
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, null]);
    const text = await refused.text();
    expect(text).toContain('authenticate has named nobody for it.');
    expect(text).not.toMatch(/Bearer|signIn/);
    await handler.close();
  });

  it('is not sent in circles by an application that does not answer its sign-in page', async () => {
    await using desk = await openAt({ page: true });
    for (const path of ['/login', '/login?next=%2F', '/./login'])
      expect([path, await desk.wayOf(path, DOCUMENT)]).toEqual([path, 401]);
    expect(await (await desk.send('/login', DOCUMENT)).text()).toContain('has to answer /login itself');
  });

  it('comes from a foreign page or to a foreign host: refused, and not led to the sign-in page', async () => {
    await using desk = await openAt({ page: true });
    expect(await desk.wayOf('/', { ...DOCUMENT, host: 'evil.example' })).toBe(403);
    expect(await desk.wayOf('/', { ...DOCUMENT, origin: 'https://evil.example' })).toBe(403);
    expect(await desk.wayOf('/', { ...DOCUMENT, origin: 'http://localhost:3000' })).toBe(403);
  });

  it('is told by an error of the client where to sign in', async () => {
    await using desk = await openAt();
    const send = ((url: string, init: RequestInit) => desk.handler(new Request(url, init))) as typeof fetch;
    const client = createAdornClient('http://localhost', { fetch: send });
    await expect(client.apps()).rejects.toMatchObject({ status: 401, signIn: '/login' });
  });

  it('wanted what stands before the mount of a framework, too, but never another origin', async () => {
    await using desk = await openAt({ page: true });
    const mounted = await listen(desk.handler);
    const wayOf = async (path: string) => {
      const { headers } = await responseOf(mounted.url + path, { accept: 'text/html' });
      return headers.location;
    };
    expect(await wayOf('/agents/?app=desk')).toBe('/login?next=%2Fagents%2F%3Fapp%3Ddesk');
    for (const path of ['//evil.example', '/\\evil.example', '/.//evil.example'])
      expect([path, await wayOf(path)]).toEqual([path, expect.not.stringContaining('//')]);
    await mounted.close();
  });
});

/** The response to a request without the headers that `fetch` adds. */
async function responseOf(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const [response] = (await once(get(url, { headers }), 'response')) as [IncomingMessage];
  return response.resume();
}

/** A server of Express in which the handler stands behind any first part of a path. */
async function listen(handler: AdornHandler) {
  const server = express().use('/:tenant', toNodeHandler(handler)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

describe('the path after a sign-in', () => {
  it('is what was wanted', () => {
    expect(pathAfterSignIn('/login?next=%2Fstudio%2F%3Fapp%3Ddesk')).toBe('/studio/?app=desk');
    expect(pathAfterSignIn(new URL('https://app.example/login?next=/a#b'))).toBe('/a');
    expect(pathAfterSignIn('/login')).toBe('/');
    expect(pathAfterSignIn(undefined, '/studio/')).toBe('/studio/');
  });

  it('leads to the same origin whatever somebody has written into a link', () => {
    for (const next of [
      'https://evil.example',
      'http:evil.example',
      '//evil.example',
      '///evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      '/\t/evil.example',
      '\n//evil.example',
      ' //evil.example',
      '/.//evil.example',
      '/a/..//evil.example',
      '/%2e//evil.example',
      '//origin.invalid//evil.example',
      'http://origin.invalid@evil.example/',
      'http://origin.invalid:80@evil.example',
      'javascript:alert(1)',
      'data:text/html,x',
      'blob:http://origin.invalid/x',
      'http://[',
      '//',
    ]) {
      const path = pathAfterSignIn(`/login?next=${encodeURIComponent(next)}`);
      expect([next, originOf(path)]).toEqual([next, 'https://app.example']);
      expect([next, path.includes('evil')]).toEqual([next, next.startsWith('http:evil')]);
    }
  });

  it('holds for any text of the signs that addresses are made of, and is no header of its own', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '%2e',
      '%5c',
      '%2f',
      ':',
      '@',
      '?',
      '#',
      '\t',
      '\r\n',
      'evil.example',
      'http',
      'é',
      '\u0000',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const path = pathAfterSignIn(`/login?next=${encodeURIComponent(pieces.join(''))}`);
        return originOf(path) === 'https://app.example' && /^\/[\x21-\x7e]*$/.test(path);
      }),
      { numRuns: 3_000 },
    );
  });
});

function originOf(path: string): string {
  return new URL(path, 'https://app.example/login').origin;
}

describe('the option signIn', () => {
  it('is a path of the application, beside authenticate', async () => {
    for (const signIn of [
      'login',
      '',
      '//evil.example',
      'https://id.example/',
      '/\\evil',
      '/a b',
      '/.//evil',
      7,
      null,
    ])
      await expect(adornHandler(Desk, { authenticate, signIn: signIn as never })).rejects.toThrow(
        'signIn is',
      );
    await expect(adornHandler(Desk, { token: 'x'.repeat(16), signIn: '/login' })).rejects.toThrow(
      'it has signIn and no authenticate',
    );
  });
});
