import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { FixtureTools } from './stdio-server.fixture.js';

type Message = Readonly<Record<string, unknown>> & { readonly id?: number; readonly method?: string };

/** An MCP server over streamable HTTP without any library, whose sessions, streams and answers a test can break. */
export class FixtureHttpServer {
  /** What was asked for, such as `tools/call echo`. */
  readonly requests: string[] = [];
  readonly headers: IncomingMessage['headers'][] = [];
  /** The token that is taken; undefined takes all. */
  token: string | undefined;
  /** How it refuses a request in a session that it does not know. */
  unknownSession: readonly [status: number, body: string] = [404, '{"error":"session not found"}'];
  /** Whether clients may open a stream on which it tells of changes. */
  hasStream = false;
  /** The authorization server that it names. */
  issuer: string | undefined;
  private readonly sessions = new Set<string>();
  private readonly streams = new Set<ServerResponse>();

  private constructor(
    private readonly server: Server,
    public tools: FixtureTools,
  ) {
    server.on('request', (request, response) => {
      void this.handle(request, response);
    });
  }

  static async start(tools: FixtureTools, port = 0): Promise<FixtureHttpServer> {
    const server = createServer();
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return new FixtureHttpServer(server, tools);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${String(this.port)}/mcp`;
  }

  get openSessions(): number {
    return this.sessions.size;
  }

  /** Forgets all sessions, as a server that was restarted. */
  forgetSessions(): void {
    this.sessions.clear();
  }

  get openStreams(): number {
    return this.streams.size;
  }

  /** Breaks the streams of its clients. */
  breakStreams(): void {
    for (const stream of this.streams) stream.destroy();
  }

  /** Says on its streams that the list of tools has changed. */
  tellChange(): void {
    const message = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
    for (const stream of this.streams) stream.write(`data: ${JSON.stringify(message)}\n\n`);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.headers.push(request.headers);
    const { authorization, 'mcp-session-id': session } = request.headers;
    if (request.url === '/.well-known/oauth-protected-resource/mcp' && this.issuer !== undefined) {
      const metadata = {
        resource: this.url,
        authorization_servers: [this.issuer],
        scopes_supported: ['files'],
      };
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(metadata));
    }
    if (this.token !== undefined && authorization !== `Bearer ${this.token}`)
      return void response.writeHead(401).end('{}');
    if (request.method === 'GET') {
      if (!this.hasStream) return void response.writeHead(405).end();
      this.streams.add(response.once('close', () => this.streams.delete(response)));
      return void response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 20\n\n');
    }
    if (request.method === 'DELETE') {
      this.sessions.delete(String(session));
      return void response.writeHead(200).end();
    }
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const message = JSON.parse(body) as Message;
    const params = (message['params'] ?? {}) as Record<string, unknown>;
    this.requests.push([message.method, params['name']].filter(Boolean).join(' '));
    if (message.method !== 'initialize' && !this.sessions.has(String(session)))
      this.refuseSession(message, response);
    else this.answer(message, params, response);
  }

  private refuseSession({ id }: Message, response: ServerResponse): void {
    const [status, body] = this.unknownSession;
    const isJson = body.startsWith('{');
    response.writeHead(status, { 'content-type': isJson ? 'application/json' : 'text/plain' });
    response.end(body.replace('"id":null', `"id":${JSON.stringify(id ?? null)}`));
  }

  private answer({ id, method }: Message, params: Record<string, unknown>, response: ServerResponse): void {
    const reply = (result: unknown, headers = {}): void => {
      response.writeHead(200, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    };
    if (id === undefined) response.writeHead(202).end();
    else if (method === 'initialize') {
      const session = randomUUID();
      this.sessions.add(session);
      const serverInfo = { name: 'fixture', version: '1' };
      const capabilities = { tools: { listChanged: true } };
      const result = { protocolVersion: params['protocolVersion'], capabilities, serverInfo };
      reply(result, { 'mcp-session-id': session });
    } else if (method === 'ping') reply({});
    else if (method === 'tools/list')
      reply({
        tools: Object.entries(this.tools).map(([name, fields]) => ({
          name,
          inputSchema: { type: 'object' },
          annotations: { destructiveHint: false },
          ...fields,
        })),
      });
    else this.call(String(params['name']), { params: { ...params, _id: id }, reply, response });
  }

  private call(
    name: string,
    {
      params,
      reply,
      response,
    }: { params: Record<string, unknown>; reply: (result: unknown) => void; response: ServerResponse },
  ): void {
    const text = (said: string): object => ({ content: [{ type: 'text', text: said }] });
    const { message } = (params['arguments'] ?? {}) as { readonly message?: string };
    if (name === 'echo') reply(text(String(message)));
    else if (name === 'kill') response.destroy();
    else if (name === 'huge') reply(text('x'.repeat(12_000_000)));
    else if (name === 'redirect') response.writeHead(307, { location: 'http://127.0.0.1:9/elsewhere' }).end();
    else if (name === 'refuse')
      response
        .writeHead(400)
        .end('{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params"}}');
    else if (name === 'slow') setTimeout(reply, 200, text('slow'));
    else if (name === 'forget') {
      this.forgetSessions();
      response.writeHead(404).end('{"error":"session not found"}');
    } else if (name === 'accepted') response.writeHead(202).end();
    else if (name === 'null') reply(null);
    else if (name === 'nullEvent' || name === 'end') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const event = { jsonrpc: '2.0', id: params['_id'], result: null };
      response.end(name === 'end' ? ': nothing\n\n' : `data: ${JSON.stringify(event)}\n\n`);
    } else if (name === 'resume') {
      // The client takes the stream up again, which is refused.
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('id: 1\nretry: 1\ndata: \n\n');
    } else if (name === 'broken') response.writeHead(500).end('<html>oops</html>');
    else if (name === 'garbage')
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc":');
    else if (name === 'page') response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
    else if (name === 'flood') flood(response);
    // "hang" is never answered.
  }
}

/** An event that never ends. */
function flood(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const line = `data: ${'x'.repeat(65_536)}\n`;
  const write = (): void => {
    while (!response.destroyed && response.write(line));
  };
  response.on('drain', write);
  write();
}
