import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { callsTool, says } from '@adorn/testing';

import { listTools, responsesIn, startRunner } from './agent.fixture.js';
import { mcpToolset } from './mcp.toolset.js';

describe('a server that knows server-sent events only, as of the revision of 2024', () => {
  let server: SseServer;

  beforeEach(async () => {
    server = await SseServer.start();
  });

  afterEach(() => server.stop());

  it('is called over its stream, with headers and credential', async () => {
    server.token = 'key';
    const auth = { scheme: { type: 'http', scheme: 'bearer' }, key: 'fixture' } as const;
    const { runner, run } = await startRunner(
      [mcpToolset({ url: server.url, auth, headers: { 'x-tenant': 't1' } })],
      [callsTool('echo', { message: 'hi' }), says('Done.')],
    );
    const { pending } = await run();

    const result = await runner.supply(pending[0] ?? fail(), 'key');

    expect(responsesIn(result)).toContainEqual({ result: 'hi' });
    expect(new Set(server.tenants)).toEqual(new Set(['t1']));
    await runner.close();
  });

  it('is asked for another credential if it refuses the one it gets', async () => {
    server.token = 'key';
    const auth = { scheme: { type: 'http', scheme: 'bearer' }, key: 'fixture' } as const;
    const { runner, run } = await startRunner([mcpToolset({ url: server.url, auth })], [says('Done.')]);
    const { pending } = await run();

    await runner.supply(pending[0] ?? fail(), 'wrong');

    expect((await run()).pending.map(({ kind }) => kind)).toEqual(['credential']);
    await runner.close();
  });

  it.each([
    ['at once', 1],
    ['after a minute', 60_000],
  ])(
    'is connected to again at the next call when its stream has ended, if clients are to wait: %s',
    async (_, retry) => {
      server.retry = retry;
      const { runner, run } = await startRunner(
        [mcpToolset({ url: server.url })],
        [callsTool('end'), says('Done.'), callsTool('echo', { message: 'again' }), says('Done.')],
      );

      expect(responsesIn(await run())).toMatchObject([{ outcome: 'unknown' }]);
      expect(responsesIn(await run())).toEqual([{ result: 'again' }]);
      await runner.close();
    },
  );

  it('may not name an endpoint elsewhere', async () => {
    server.endpoint = 'http://127.0.0.1:9/messages';

    await expect(listTools(mcpToolset({ url: server.url }))).rejects.toThrow(
      'it answered with HTTP 405 Method Not Allowed, and opened no stream of events (SSE) either. Correct the path',
    );
  });
});

/** An MCP server with an endpoint for events and one for messages, without any library. */
class SseServer {
  token: string | undefined;
  endpoint = '/messages';
  /** Milliseconds after which a client is to open a stream that has ended again. */
  retry = 1;
  readonly tenants: unknown[] = [];
  private stream: ServerResponse | undefined;

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      void this.handle(request, response);
    });
  }

  static async start(): Promise<SseServer> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new SseServer(server);
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}/sse`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url, headers } = request;
    this.tenants.push(headers['x-tenant']);
    if (method === 'POST' && url === '/sse') return void response.writeHead(405).end();
    if (this.token !== undefined && headers.authorization !== `Bearer ${this.token}`)
      return void response.writeHead(401).end();
    if (method === 'GET') {
      this.stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`retry: ${String(this.retry)}\nevent: endpoint\ndata: ${this.endpoint}\n\n`);
      return;
    }
    let body = '';
    for await (const chunk of request) body += String(chunk);
    response.writeHead(202).end();
    this.answer(JSON.parse(body) as Message);
  }

  private answer({ id, method, params }: Message): void {
    if (id === undefined) return;
    if (params?.name === 'end') return void this.stream?.end();
    const serverInfo = { name: 'fixture', version: '1' };
    const annotations = { destructiveHint: false };
    const tools = ['echo', 'end'].map((name) => ({ name, inputSchema: { type: 'object' }, annotations }));
    const results: Record<string, unknown> = {
      initialize: { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo },
      'tools/list': { tools },
      'tools/call': { content: [{ type: 'text', text: params?.arguments?.message }] },
    };
    this.stream?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: results[method] })}\n\n`);
  }
}

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly arguments?: { readonly message?: string } };
}

function fail(): never {
  throw new Error('nothing is pending');
}
