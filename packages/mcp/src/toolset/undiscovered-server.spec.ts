import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { listTools } from './agent.fixture.js';
import { mcpToolset } from './mcp.toolset.js';

/** What a server of the revision of 2025-06-18 does with the question for its revisions, which it does not know. */
type Behavior = (response: ServerResponse) => void;

describe('a server that cannot be asked for its revisions', () => {
  it.each<[string, Behavior]>([
    ['fails', (response) => response.writeHead(500).end('boom')],
    ['says that it is busy', (response) => response.writeHead(503).end()],
    ['answers with no message', (response) => response.writeHead(200, JSON_TYPE).end('{}')],
    ['hangs up', (response) => response.destroy()],
  ])('is initialized as one of an earlier revision: it %s', async (_what, behavior) => {
    await using server = await OldServer.start(behavior);
    const toolset = mcpToolset({ url: server.url });

    expect((await listTools(toolset)).map(({ name }) => name)).toEqual(['read']);
    await toolset.close();
  });

  it('is hung up on when the toolset is closed meanwhile', async () => {
    let asked: (response: ServerResponse) => void = () => undefined;
    const asking = new Promise<ServerResponse>((resolve) => (asked = resolve));
    await using server = await OldServer.start((response) => {
      asked(response);
    });
    const toolset = mcpToolset({ url: server.url });
    const listing = listTools(toolset).catch((error: unknown) => error);
    const closed = once(await asking, 'close');
    await toolset.close();
    await closed;

    expect(await listing).toMatchObject({ code: 'MCP_SERVER_UNAVAILABLE' });
  });
});

const JSON_TYPE = { 'content-type': 'application/json' };

/** A server with one tool that knows no `server/discover`. */
class OldServer {
  private constructor(private readonly server: Server) {}

  static async start(behavior: Behavior): Promise<OldServer> {
    const server = createServer((request, response) => void answer(request, response, behavior));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new OldServer(server);
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}/mcp`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

async function answer(request: IncomingMessage, response: ServerResponse, behavior: Behavior): Promise<void> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const { id, method } = JSON.parse(body || '{}') as { id?: number; method?: string };
  const result = RESULTS[method ?? ''];
  if (method === 'server/discover') behavior(response);
  else if (request.method !== 'POST') response.writeHead(405).end();
  else if (id === undefined) response.writeHead(202).end();
  else response.writeHead(200, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

const RESULTS: Readonly<Record<string, unknown>> = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'old', version: '1' },
  },
  'tools/list': {
    tools: [{ name: 'read', description: 'Reads.', inputSchema: { type: 'object' } }],
  },
};
