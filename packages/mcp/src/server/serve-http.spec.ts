import { once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';

import { FunctionTool } from '@adorn/core';
import { callsTool } from '@adorn/testing';
import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import { respond } from '../toolset/agent.fixture.js';
import { mcpToolset } from '../toolset/mcp.toolset.js';
import { type McpServing, serveMcp } from './serve-mcp.js';
import { newClient, told } from './served.fixture.js';
import type { ServeEndpointOptions, ServeHttpOptions } from './serve-options.js';

const echo = new FunctionTool({
  name: 'echo',
  description: '',
  effect: 'read',
  parameters: { type: 'object', properties: { message: { type: 'string' } } },
  run: async ({ message }, { userId }) => {
    await new Promise((resolve) => setImmediate(resolve));
    return `${userId}: ${String(message)}`;
  },
});

describe('tools served over HTTP', () => {
  let serving: McpServing;
  const clients: Client[] = [];

  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
    await serving.close();
  });

  it('are called by a toolset of another agent', async () => {
    await serve();

    const responses = await respond([mcpToolset({ url: url() })], [callsTool('echo', { message: 'hi' })]);

    expect(responses).toEqual([{ result: 'user: hi' }]);
  });

  it('S11 answer each of two clients that use the same ids at the same time with what is its own', async () => {
    await serve({ authenticate: ({ headers }) => headers.authorization?.replace('Bearer ', '') });
    const [ada, bob] = await Promise.all([connect('ada'), connect('bob')]);

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? ada : bob).callTool({ name: 'echo', arguments: { message: String(index) } }),
      ),
    );

    expect(answers.map((answer) => told(answer)[0])).toEqual(
      answers.map((_answer, index) => `${index % 2 === 0 ? 'ada' : 'bob'}: ${String(index)}`),
    );
  });

  it('S11 do not let a user into the session of another, nor tell that it exists', async () => {
    await serve({ authenticate: ({ headers }) => headers.authorization?.replace('Bearer ', '') });
    const ada = await connect('ada');
    const { sessionId } = ada.transport as StreamableHTTPClientTransport;

    const ofBob = await post(LIST, { authorization: 'Bearer bob', 'mcp-session-id': String(sessionId) });
    const ofNobody = await post(LIST, { authorization: 'Bearer bob', 'mcp-session-id': 'none' });

    expect([ofBob.status, await ofBob.text()]).toEqual([ofNobody.status, await ofNobody.text()]);
    expect(ofBob.status).toBe(404);
  });

  it('refuse who is not authenticated', async () => {
    await serve({ authenticate: () => undefined });

    const { status, headers } = await post(INITIALIZE);

    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  it('fail closed when the authentication fails', async () => {
    await serve({ authenticate: () => Promise.reject(new Error('directory is down')) });

    const response = await post(INITIALIZE);

    expect([response.status, await response.text()]).toEqual([500, expect.not.stringContaining('directory')]);
  });

  it.each([
    ['Host', { host: 'evil.example' }],
    ['Origin', { origin: 'https://evil.example' }],
  ])('refuse a foreign %s', async (_name, headers) => {
    await serve();

    expect(await statusOf(headers)).toBe(403);
  });

  it('refuse a request that is too large, one that is no JSON, and one without a session', async () => {
    await serve({ maxRequestBytes: 10_000 });

    const large = await post({ ...INITIALIZE, padding: 'x'.repeat(20_000) });
    const broken = await post('{"jsonrpc":');
    const lost = await post(LIST);

    expect([large.status, broken.status, lost.status]).toEqual([413, 400, 400]);
  });

  it('forget a session that its client ends', async () => {
    await serve();
    const client = await connect('ada');
    const { sessionId } = client.transport as StreamableHTTPClientTransport;

    await (client.transport as StreamableHTTPClientTransport).terminateSession();

    expect((await post(LIST, { 'mcp-session-id': String(sessionId) })).status).toBe(404);
  });

  it('end the longest idle session for a new client at the limit, connected or not', async () => {
    await serve({ maxSessions: 2 });
    const clients = [await connect('ada'), await connect('bob')];
    await clients[0]?.ping();

    await connect('eve');

    const statuses = await Promise.all(clients.map((client) => statusOfSession(client)));
    expect(statuses).toEqual([200, 404]);
  });

  it.each<[string, ServeHttpOptions]>([
    ['of all sessions', { maxSessions: 12 }],
    ['of the sessions of a user', { maxSessions: 100 }],
    ['of the sessions of a user that is stated', { maxSessions: 100, maxSessionsPerUser: 3 }],
  ])('of others are not ended by a user who begins many, at the limit %s', async (_which, limits) => {
    await serve({ ...limits, authenticate: ({ headers }) => headers.authorization?.replace('Bearer ', '') });
    const statusOf = async (user: string): Promise<number> => statusOfSession(await connect(user), user);
    const [ada, bob] = [await connect('ada'), await connect('bob')];

    const many = [];
    for (let count = 0; count < 30; count++) many.push(await connect('eve'));

    expect([
      await statusOfSession(ada, 'ada'),
      await statusOfSession(bob, 'bob'),
      await statusOf('carol'),
    ]).toEqual([200, 200, 200]);
    const statuses = await Promise.all(many.map((client) => statusOfSession(client, 'eve')));
    const left = statuses.filter((status) => status === 200);
    expect(left).toHaveLength(limits.maxSessionsPerUser ?? (limits.maxSessions === 12 ? 9 : 10));
  });

  it('never end a session with a call under way for a new client', async () => {
    const { tool, begun, end } = waiting();
    serving = await serveMcp(tool, { http: { maxSessions: 1 } });
    const busy = await connect('ada');
    const calling = busy.callTool({ name: 'wait', arguments: {} });
    await begun;

    const refused = await post(INITIALIZE);
    end();
    await calling;
    const next = await post(INITIALIZE);

    expect([refused.status, next.status]).toEqual([503, 200]);
  });

  it('never end a session for a request that begins none', async () => {
    await serve({ maxSessions: 1 });
    const client = await connect('ada');

    await post(LIST);

    expect(await statusOfSession(client)).toBe(200);
  });

  it('end with the server, calls under way included', async () => {
    const { tool, begun } = waiting();
    serving = await serveMcp(tool, { http: {} });
    const client = await connect('ada');
    const calling = client.callTool({ name: 'wait', arguments: {} }).catch(() => 'ended');
    await begun;

    await serving.close();
    await client.close();

    expect(await calling).toBe('ended');
    await expect(post(INITIALIZE)).rejects.toThrow();
  });

  describe('by the HTTP server of a program', () => {
    let server: Server;
    let address: string;

    afterEach(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });

    it('give each client that comes at a cold start a session that lasts', async () => {
      await mount();
      const started = await Promise.all([1, 2, 3, 4, 5].map(() => post(INITIALIZE, {}, address)));

      const statuses = await Promise.all(
        started.map(async (response) => {
          await response.text();
          const id = String(response.headers.get('mcp-session-id'));
          return (await post(LIST, { 'mcp-session-id': id }, address)).status;
        }),
      );

      expect(statuses).toEqual([200, 200, 200, 200, 200]);
    });

    it('end a session whose client has gone away', async () => {
      await mount({ sessionIdleMs: 20 });
      const { headers } = await post(INITIALIZE, {}, address);
      const id = String(headers.get('mcp-session-id'));

      let status: number;
      do {
        await setTimeout(100);
        ({ status } = await post(LIST, { 'mcp-session-id': id }, address));
      } while (status !== 404);

      expect(status).toBe(404);
    });

    it('have the checks and limits of an endpoint, and listen nowhere else', async () => {
      await mount({
        authenticate: ({ headers }) => headers.authorization?.replace('Bearer ', ''),
        allowedHosts: ['mcp.example.com'],
        maxRequestBytes: 1_000,
      });
      const host = { host: 'mcp.example.com', authorization: 'Bearer ada' };

      const statuses = [
        await statusOf({ ...host, host: '127.0.0.1' }, address),
        await statusOf({ host: 'mcp.example.com' }, address),
        await statusOf(host, address, { ...INITIALIZE, padding: 'x'.repeat(2_000) }),
        await statusOf(host, address),
      ];

      expect(statuses).toEqual([403, 401, 413, 200]);
      expect(serving.url).toBeUndefined();
    });

    it('answer nobody after the server has closed', async () => {
      await mount();
      await serving.close();

      expect((await post(INITIALIZE, {}, address)).status).toBe(503);
    });

    it.each<[string, object, string]>([
      ['an option of listening', { endpoint: { port: 80 } }, 'there is no option port'],
      ['an endpoint beside http', { endpoint: {}, http: {} }, 'it has http and an endpoint'],
      [
        'a foreign host without authentication',
        { endpoint: { allowedHosts: ['mcp.example.com'] } },
        'endpoint.allowedHosts names "mcp.example.com"',
      ],
    ])('refuse %s', async (_what, options, fault) => {
      await mount();

      await expect(serveMcp([echo], options)).rejects.toThrow(fault);
    });

    async function mount(endpoint: ServeEndpointOptions = {}): Promise<void> {
      serving = await serveMcp([echo], { endpoint });
      server = createServer((request, response) => void serving.handle(request, response));
      await once(server.listen(0, '127.0.0.1'), 'listening');
      address = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
    }
  });

  async function serve(http: ServeHttpOptions = {}): Promise<void> {
    serving = await serveMcp([echo], { http });
  }

  function url(): string {
    return serving.url ?? '';
  }

  async function connect(user: string): Promise<Client> {
    const client = newClient();
    const headers = { authorization: `Bearer ${user}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(url()), { requestInit: { headers } }));
    clients.push(client);
    return client;
  }

  async function statusOfSession({ transport }: Client, user = 'ada'): Promise<number> {
    const { sessionId } = transport as StreamableHTTPClientTransport;
    const headers = { 'mcp-session-id': String(sessionId), authorization: `Bearer ${user}` };
    return (await post(LIST, headers)).status;
  }

  function post(body: unknown, headers: Record<string, string> = {}, address = url()): Promise<Response> {
    return fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  /** `fetch` does not let a program set these headers. */
  async function statusOf(
    headers: Record<string, string>,
    address = url(),
    body: object = INITIALIZE,
  ): Promise<number | undefined> {
    const sent = httpRequest(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
    });
    sent.end(JSON.stringify(body));
    const [response] = (await once(sent, 'response')) as [{ statusCode?: number; resume(): void }];
    response.resume();
    return response.statusCode;
  }
});

/** A tool whose calls last until `end` is called. */
function waiting() {
  let begin: () => void = () => undefined;
  let end: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const ended = new Promise<void>((resolve) => (end = resolve));
  const run = async (): Promise<string> => {
    begin();
    await ended;
    return 'ended';
  };
  return { tool: new FunctionTool({ name: 'wait', description: '', run }), begun, end };
}

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'spec', version: '1' } },
};
