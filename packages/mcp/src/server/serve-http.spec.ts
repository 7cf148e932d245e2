import { once } from 'node:events';
import { request as httpRequest } from 'node:http';

import { FunctionTool } from '@adorn/core';
import { callsTool } from '@adorn/testing';
import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import { respond } from '../toolset/agent.fixture.js';
import { mcpToolset } from '../toolset/mcp.toolset.js';
import { type McpServing, serveMcp } from './serve-mcp.js';
import { newClient, told } from './served.fixture.js';
import type { ServeHttpOptions } from './serve-options.js';

const echo = new FunctionTool({
  name: 'echo',
  description: '',
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

  it('have no more sessions than allowed, and forget a session that its client ends', async () => {
    await serve({ maxSessions: 1 });
    const first = await connect('ada');
    const refused = await post(INITIALIZE);

    await (first.transport as StreamableHTTPClientTransport).terminateSession();
    const next = await post(INITIALIZE);

    expect([refused.status, next.status]).toEqual([503, 200]);
  });

  it('end with the server, calls under way included', async () => {
    let begun: () => void = () => undefined;
    const beginning = new Promise<void>((resolve) => (begun = resolve));
    const wait = new FunctionTool({
      name: 'wait',
      description: '',
      run: () => {
        begun();
        return new Promise(() => undefined);
      },
    });
    serving = await serveMcp(wait, { http: {} });
    const client = await connect('ada');
    const calling = client.callTool({ name: 'wait', arguments: {} }).catch(() => 'ended');
    await beginning;

    await serving.close();
    await client.close();

    expect(await calling).toBe('ended');
    await expect(post(INITIALIZE)).rejects.toThrow();
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

  function post(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(url(), {
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
  async function statusOf(headers: Record<string, string>): Promise<number | undefined> {
    const sent = httpRequest(url(), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
    });
    sent.end(JSON.stringify(INITIALIZE));
    const [response] = (await once(sent, 'response')) as [{ statusCode?: number; resume(): void }];
    response.resume();
    return response.statusCode;
  }
});

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'spec', version: '1' } },
};
