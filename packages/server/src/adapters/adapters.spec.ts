import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { callsTool, says } from '@adorn/testing';
import express from 'express';
import fastify from 'fastify';

import { adornHandler } from '../adorn-handler.js';
import { createAdornClient } from '../client/index.js';
import { openDesk } from '../desk.fixture.js';
import { sse } from '../frames/sse.js';
import { readFrames } from '../client/index.js';
import type { HandlerOptions } from '../server-options.js';
import { toFastifyPlugin } from './fastify-plugin.js';
import { toNodeHandler } from './node-handler.js';
import { toRouteHandlers } from './route-handlers.js';

const authenticate = (request: Request) => request.headers.get('x-user') ?? undefined;

async function openHandler(options: Partial<HandlerOptions> = {}) {
  const runner = await openDesk([callsTool('refund', { orderId: 'A' }), says('Refunded.'), says('Again.')]);
  const handler = await adornHandler(runner, { authenticate, ...options });
  return {
    runner,
    handler,
    close: async () => {
      await handler.close();
      await runner.close();
    },
  };
}

async function portOf(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

/** A conversation with an approval, by the typed client. */
async function converse(url: string, options: object = {}): Promise<string[]> {
  const client = createAdornClient(url, { headers: { 'x-user': 'ada' }, ...options });
  const chat = await client.createSession();
  const asked = await chat.send('Refund A');
  const kinds: string[] = [asked.status];
  for await (const { kind } of chat.approve(asked.pending[0]?.id ?? '')) kinds.push(kind);
  kinds.push((await chat.send('Hello')).text);
  return kinds;
}

const CONVERSATION = ['paused', 'result', 'text', 'end', 'Again.'];

describe('an endpoint', () => {
  it('of node:http', async () => {
    const { handler, close } = await openHandler();
    const server = createServer((request, response) => void toNodeHandler(handler)(request, response));
    expect(await converse(await portOf(server))).toEqual(CONVERSATION);
    server.close();
    await close();
  });

  it.each([[false], [true]])('of Express, below a path, after a parser of JSON: %s', async (isParsed) => {
    const { handler, close } = await openHandler();
    const app = express();
    if (isParsed) app.use(express.json());
    app.use('/agents', toNodeHandler(handler));
    const server = createServer((request, response) => void app(request, response));
    expect(await converse(`${await portOf(server)}/agents`)).toEqual(CONVERSATION);
    server.close();
    await close();
  });

  it('of Express, whose user comes from its own middleware', async () => {
    const users: unknown[] = [];
    const { handler, close } = await openHandler({
      authenticate: (_request, { user }: express.Request & { user?: { id: string } }) => {
        users.push(user);
        return user?.id;
      },
    });
    const app = express();
    app.use((request, _response, next) => {
      Object.assign(request, { user: { id: 'grace' } });
      next();
    });
    app.use(toNodeHandler(handler));
    const server = createServer((request, response) => void app(request, response));
    const url = await portOf(server);
    expect((await fetch(`${url}/apps/desk/users/grace/sessions`)).status).toBe(200);
    expect((await fetch(`${url}/apps/desk/users/ada/sessions`)).status).toBe(404);
    server.close();
    await close();
  });

  it('of Fastify, below a prefix', async () => {
    const { handler, close } = await openHandler({ basePath: '/agents' });
    const app = fastify();
    await app.register(toFastifyPlugin(handler), { prefix: '/agents' });
    app.post('/own', (request) => ({ body: request.body }));
    const url = await app.listen({ port: 0 });
    expect(await converse(`${url}/agents`)).toEqual(CONVERSATION);
    const own = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' };
    expect(await (await fetch(`${url}/own`, own)).json()).toEqual({ body: { a: 1 } });
    await app.close();
    await close();
  });

  it('of route handlers, as Next.js calls them', async () => {
    const opened = openHandler({ basePath: '/api/agents' });
    const handlers = toRouteHandlers(opened.then(({ handler }) => handler));
    const call: typeof fetch = (input, init) => {
      const request = new Request(input, init);
      return handlers[request.method as 'GET'](request);
    };
    expect(await converse('http://localhost/api/agents', { fetch: call })).toEqual(CONVERSATION);
    await (await opened).close();
  });

  it('of one route of your own, by `sse` and `readFrames`', async () => {
    await using runner = await openDesk([callsTool('refund', { orderId: 'A' })]);
    const kinds: string[] = [];
    for await (const { kind } of readFrames(sse(runner.run({ userId: 'ada', message: 'Refund A' }))))
      kinds.push(kind);
    expect(kinds).toEqual(['call', 'request', 'result', 'end']);
  });

  it('closes the stream of a client that disconnects, and cancels its run on the paths of adk-web', async () => {
    const runner = await openDesk([callsTool('count'), says('Free.')]);
    const handler = await adornHandler(runner, { authenticate });
    await runner.sessions.createSession({ appName: 'desk', userId: 'ada', sessionId: 's1' });
    const server = createServer((request, response) => void toNodeHandler(handler)(request, response));
    const url = await portOf(server);
    const leaving = new AbortController();
    const headers = { 'x-user': 'ada', 'content-type': 'application/json' };
    const body = JSON.stringify({ sessionId: 's1', newMessage: { parts: [{ text: 'Count' }] } });
    const counting = await fetch(`${url}/run_sse`, { method: 'POST', headers, body, signal: leaving.signal });
    await counting.body?.getReader().read();
    leaving.abort();
    const next = await fetch(`${url}/run`, { method: 'POST', headers, body });
    expect(await next.json()).toMatchObject([{ content: { parts: [{ text: 'Free.' }] } }]);
    server.close();
    await handler.close();
    await runner.close();
  });
});
