import { once } from 'node:events';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Runner } from '@adorn/core';
import express from 'express';

import { toNodeHandler } from '../adapters/node-handler.js';
import { type AdornHandler, adornHandler } from '../adorn-handler.js';
import { openDesk } from '../desk.fixture.js';
import type { HandlerOptions } from '../server-options.js';
import { type AdornServer, serve } from '../serve.js';

describe('the page', () => {
  let folder: string;
  let server: AdornServer;
  let runner: Runner;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'adorn-page-'));
    await mkdir(join(folder, 'page/assets'), { recursive: true });
    await writeFile(join(folder, 'page/index.html'), '<title>The page</title>');
    await writeFile(join(folder, 'page/assets/main-1a2b.js'), 'export {};');
    await writeFile(join(folder, 'secret.txt'), 'SECRET');
    runner = await openDesk([]);
    const page = join(folder, 'page');
    server = await serve(runner, { port: 0, page, adkPage: page });
  });

  afterAll(async () => {
    await server.close();
    await runner.close();
    await rm(folder, { recursive: true });
  });

  const get = (path: string, accept = '*/*') =>
    fetch(server.url + path, {
      redirect: 'manual',
      headers: { authorization: `Bearer ${server.token ?? ''}`, accept },
    });
  const open = (path: string) => get(path, 'text/html,application/xhtml+xml,*/*;q=0.8');

  it('is at every path without an extension, so that an address keeps its state', async () => {
    for (const path of ['/sessions/s1', '/apps/desk/events/e1', '/dev-ui/', '/dev-ui/?app=desk'])
      expect(await (await open(path)).text()).toBe('<title>The page</title>');
    const response = await open('/sessions/s1');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect((await open('/missing.js')).status).toBe(404);
  });

  it('is not the answer to a script that requests what the server does not have', async () => {
    for (const path of ['/dev/apps/desk/eval_sets', '/dev/apps/desk/builder?ts=1', '/apps/desk/nothing'])
      expect((await get(path, 'application/json, text/plain, */*')).status).toBe(404);
  });

  it('has files that are cached for good by their hashes', async () => {
    const response = await get('/assets/main-1a2b.js');
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(response.headers.get('cache-control')).toContain('immutable');
  });

  it('gives no file outside its folder', async () => {
    for (const path of [
      '/../secret.txt',
      '/..%2fsecret.txt',
      '/%2e%2e/secret.txt',
      '/assets/..%2f..%2fsecret.txt',
      '/dev-ui/..%2f..%2fsecret.txt',
    ])
      expect(await (await get(path)).text()).not.toContain('SECRET');
  });

  it('is shown to who comes by a link of another site without the cookie, and nothing but the page', async () => {
    const byLink = (path: string, headers: Record<string, string> = {}) =>
      sent(server.url + path, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', ...headers });
    expect(await byLink('/dev-ui/?code=c&state=s')).toBe(200);
    expect(await byLink('/')).toBe(302);
    expect(await byLink('/dev-ui/', { 'sec-fetch-mode': 'no-cors' })).toBe(403);
    expect(await byLink('/dev-ui/', { 'sec-fetch-site': 'none' })).toBe(401);
    for (const path of ['/list-apps', '/adorn/apps', '/run_live', '/debug/trace/e1', '/dev-ui/main.js'])
      expect([path, await byLink(path)]).toEqual([path, 401]);
  });

  it('of adk-web opens from the root, and finds the server at its own origin', async () => {
    expect((await get('/')).headers.get('location')).toBe('/dev-ui/');
    expect((await get('/dev-ui?app=desk')).headers.get('location')).toBe('/dev-ui/?app=desk');
    expect(await (await get('/dev-ui/assets/config/runtime-config.json')).json()).toEqual({ backendUrl: '' });
  });
});

describe('the page of a handler', () => {
  let folder: string;
  let runner: Runner;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'adorn-page-'));
    await mkdir(join(folder, 'assets'));
    await writeFile(join(folder, 'index.html'), '<title>The page</title>');
    await writeFile(join(folder, 'assets/main-1a2b.js'), 'export {};');
    runner = await openDesk([]);
  });

  afterAll(async () => {
    await runner.close();
    await rm(folder, { recursive: true });
  });

  const open = (options: Partial<HandlerOptions>) =>
    adornHandler(runner, { authenticate: () => 'ada', ...options });
  const get = (handler: AdornHandler, path: string) =>
    handler(new Request(`http://localhost${path}`, { headers: { accept: 'text/html' } }));

  it('is not there unless it is asked for', async () => {
    await using handler = disposable(await open({}));
    expect((await get(handler, '/')).status).toBe(404);
  });

  it('is at the path of the handler, with its files and the routes of the agents beside it', async () => {
    await using handler = disposable(await open({ page: folder, basePath: '/agents' }));
    expect((await get(handler, '/agents?app=desk')).headers.get('location')).toBe('/agents/?app=desk');
    expect(await (await get(handler, '/agents/?app=desk')).text()).toBe('<title>The page</title>');
    expect(await (await get(handler, '/agents/assets/main-1a2b.js')).text()).toBe('export {};');
    expect(await (await get(handler, '/agents/list-apps')).json()).toEqual(['desk']);
    expect((await get(handler, '/assets/main-1a2b.js')).status).toBe(404);
  });

  it('is at the mount of Express, whatever it is called', async () => {
    await using handler = disposable(await open({ page: folder }));
    const server = express().use('/:tenant', toNodeHandler(handler)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    const opened = await fetch(`${url}/acme?app=desk`, { headers: { accept: 'text/html' } });
    expect([opened.url, await opened.text()]).toEqual([`${url}/acme/?app=desk`, '<title>The page</title>']);
    expect(await (await fetch(`${url}/acme/assets/main-1a2b.js`)).text()).toBe('export {};');
    const astray = await fetch(`${url}/%5Cevil.example`, { redirect: 'manual' });
    expect(astray.headers.get('location')).toBe('/%5Cevil.example/');
    await new Promise((resolve) => server.close(resolve));
  });

  it('is the studio with true', async () => {
    await using handler = disposable(await open({ page: true }));
    expect(await (await get(handler, '/')).text()).toContain('<title>Adorn studio</title>');
  });
});

function disposable(handler: AdornHandler): AdornHandler & AsyncDisposable {
  return Object.assign(handler, { [Symbol.asyncDispose]: () => handler.close() });
}

/** The status of a request with headers that fetch does not send. */
async function sent(url: string, headers: Record<string, string>): Promise<number | undefined> {
  const asked = request(url, { headers });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}
