import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

import { says } from '@adorn/testing';
import { WebSocket, WebSocketServer } from 'ws';

import { toNodeHandler } from '../adapters/node-handler.js';
import { adornHandler } from '../adorn-handler.js';
import { openDesk } from '../desk.fixture.js';
import { serve } from '../serve.js';

/** Sends a text over one connection, and reads until the server closes it. */
async function raw(url: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(text);
  let answer = '';
  socket.on('data', (data) => (answer += data.toString('latin1')));
  await once(socket, 'close');
  return answer;
}

interface Offer {
  readonly upgrade: string;
  readonly token: string | undefined;
  readonly body?: string;
}

/** A request that offers another protocol, as Java's HttpClient and `curl --http2` do by themselves. */
function offering(method: string, path: string, { upgrade, token, body = '' }: Offer): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${token ?? ''}`,
    'Connection: close, Upgrade, HTTP2-Settings',
    `Upgrade: ${upgrade}`,
    'HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA',
  ];
  if (body !== '') lines.push('Content-Type: application/json', `Content-Length: ${String(body.length)}`);
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

async function urlOf(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

describe('a request that offers another protocol', () => {
  it.each(['h2c', 'TLS/1.0', 'websocket', 'websocket, h2c'])(
    'is answered as what it is: %s',
    async (upgrade) => {
      await using runner = await openDesk([]);
      await using server = await serve(runner, { port: 0, page: false });
      const { url, token } = server;
      const sessions = '/adorn/apps/desk/sessions';
      const key = { appName: 'desk', userId: 'user', sessionId: 'a' };
      const created = await raw(url, offering('POST', sessions, { upgrade, token, body: '{"id":"a"}' }));
      expect([created.slice(0, 12), (await runner.sessions.getSession(key))?.id]).toEqual([
        'HTTP/1.1 201',
        'a',
      ]);
      expect(await raw(url, offering('GET', `${sessions}/a`, { upgrade, token }))).toMatch(/^HTTP\/1.1 200/);
      expect(await raw(url, offering('GET', `${sessions}/a`, { upgrade, token: 'none' }))).toMatch(
        /^HTTP\/1.1 401/,
      );
      expect(await raw(url, offering('DELETE', `${sessions}/a`, { upgrade, token }))).toMatch(
        /^HTTP\/1.1 204/,
      );
      expect(await runner.sessions.getSession(key)).toBeUndefined();
      expect(await raw(url, offering('POST', '/run_live', { upgrade, token, body: '{}' }))).toMatch(/ 404 /);
    },
  );

  it.each([
    ['alone', false],
    ['beside a listener for WebSockets of the application', true],
  ])('goes to the listener of requests, %s', async (_what, hasOther) => {
    const runner = await openDesk([]);
    const handler = await adornHandler(runner, { authenticate: () => 'ada' });
    const server = createServer((request, response) => void toNodeHandler(handler)(request, response));
    server.on('upgrade', (...given) => void handler.upgrade(...given));
    if (hasOther) server.on('upgrade', () => undefined);
    const url = await urlOf(server);
    const body = JSON.stringify({ id: 'a', state: { text: 'x'.repeat(300_000) } });
    const sent = offering('POST', '/adorn/apps/desk/sessions', { upgrade: 'h2c', token: undefined, body });
    expect(await raw(url, sent)).toMatch(/^HTTP\/1.1 201/);
    server.close();
    await handler.close();
    await runner.close();
  });

  it('is left alone if it is a WebSocket for another path, which the application takes in its own time', async () => {
    const runner = await openDesk([says('Hi.')]);
    const handler = await adornHandler(runner, { authenticate: () => 'ada', basePath: '/agents' });
    const server = createServer((request, response) => void toNodeHandler(handler)(request, response));
    const chat = new WebSocketServer({ noServer: true });
    server.on('upgrade', (request, socket, head) => {
      if (request.url !== '/chat') return;
      setTimeout(() => {
        chat.handleUpgrade(request, socket, head, (opened) => {
          opened.on('message', (data) => {
            opened.send(`echo ${(data as Buffer).toString()}`);
          });
        });
      }, 50);
    });
    server.on('upgrade', (...given) => void handler.upgrade(...given));
    const url = (await urlOf(server)).replace('http', 'ws');
    for (let time = 0; time < 10; time++) {
      const socket = new WebSocket(`${url}/chat`);
      await once(socket, 'open');
      socket.send('hi');
      const [answer] = (await once(socket, 'message')) as [Buffer];
      expect(answer.toString()).toBe('echo hi');
      socket.terminate();
    }
    const own = new WebSocket(`${url}/agents/run_live?app_name=desk&session_id=none`);
    const [code] = (await once(own, 'close')) as [number];
    expect(code).toBe(1002);
    server.closeAllConnections();
    server.close();
    await handler.close();
    await runner.close();
  });
});

describe('a request line with a whole address', () => {
  it.each([
    ['http://evil.example/list-apps', '127.0.0.1', 403],
    ['http://127.0.0.1/list-apps', 'evil.example', 403],
    ['http://127.0.0.1/list-apps', '127.0.0.1', 200],
    ['http://evil.example/run_live?app_name=desk&session_id=s1', '127.0.0.1', 403],
  ])('is held to the names of the server: %s with the host %s', async (target, host, status) => {
    await using runner = await openDesk([]);
    await using server = await serve(runner, { port: 0, page: false, authenticate: () => 'ada' });
    const upgrade = target.includes('run_live')
      ? 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'
      : 'Connection: close\r\n';
    const answer = await raw(server.url, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${upgrade}\r\n`);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${String(status)}`));
  });
});
