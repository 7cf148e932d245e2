import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type * as nodeProtocol from '@modelcontextprotocol/node';
import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

import { LOOPBACK } from './check-serve-options.js';
import { ClientSession, type SessionFields } from './client-session.js';
import type { ServeHttpOptions } from './serve-options.js';

type HttpTransport = nodeProtocol.NodeStreamableHTTPServerTransport;

interface OpenSession {
  readonly session: ClientSession;
  readonly transport: HttpTransport;
  /** Calls that are being answered; a session with one is not idle. */
  active: number;
  lastUse: number;
}

const MOST_SESSIONS = 1_000;
const IDLE_MS = 1_800_000;
const SWEEP_MS = 30_000;
/** How soon a client may take up a stream that the server closed, in milliseconds. */
const RETRY_MS = 500;

/** The endpoint of a server over streamable HTTP. Each client has a session with a transport and a server of its own. */
export class HttpEndpoint {
  private readonly sessions = new Map<string, OpenSession>();
  private server: Server | undefined;
  private sweeper: NodeJS.Timeout | undefined;

  private constructor(
    private readonly fields: SessionFields,
    private readonly options: ServeHttpOptions,
    private readonly protocol: typeof nodeProtocol,
  ) {}

  static async create(fields: SessionFields, options: ServeHttpOptions): Promise<HttpEndpoint> {
    return new HttpEndpoint(fields, options, await import('@modelcontextprotocol/node'));
  }

  /** Listens for clients. Resolves to the URL of the endpoint. */
  async listen(): Promise<string> {
    const { host = '127.0.0.1', port = 0, path = '/mcp' } = this.options;
    const server = (this.server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      if (pathname === path) void this.handle(request, response);
      else refuse(response, 404, 'There is nothing here.');
    }));
    this.sweeper = setInterval(() => {
      this.endIdle();
    }, SWEEP_MS).unref();
    await once(server.listen(port, host.replace(/^\[|\]$/g, '')), 'listening');
    const { port: actual } = server.address() as AddressInfo;
    return `http://${host}:${String(actual)}${path}`;
  }

  /** Answers one request. Never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const {
        host = '127.0.0.1',
        allowedHosts = [host, ...LOOPBACK],
        allowedOrigins = [...LOOPBACK],
      } = this.options;
      if (!this.protocol.hostHeaderValidation([...allowedHosts])(request, response)) return;
      if (!this.protocol.originValidation([...allowedOrigins])(request, response)) return;
      const userId = await this.userOf(request);
      if (userId === undefined) {
        response.setHeader('www-authenticate', 'Bearer');
        refuse(response, 401, 'The request has no valid credential.');
        return;
      }
      await this.serve(request, response, userId);
    } catch (error) {
      this.fields.options.logger?.error('an MCP request failed', { error });
      refuse(response, 500, 'The request failed.');
    }
  }

  private async userOf(request: IncomingMessage): Promise<string | undefined> {
    const { authenticate } = this.options;
    if (authenticate === undefined) return this.fields.options.userId ?? 'user';
    const userId: unknown = await authenticate(request);
    return typeof userId === 'string' && userId !== '' ? userId : undefined;
  }

  private async serve(request: IncomingMessage, response: ServerResponse, userId: string): Promise<void> {
    const id = request.headers['mcp-session-id'];
    if (id === undefined) {
      if (this.sessions.size >= (this.options.maxSessions ?? MOST_SESSIONS))
        refuse(response, 503, 'There are too many sessions.');
      else await (await this.begin(userId)).handleRequest(request, response);
      return;
    }
    const open = this.sessions.get(String(id));
    // The session of another user is not told apart from one that does not exist.
    if (open?.session.userId !== userId) {
      refuse(response, 404, 'There is no such session. Initialize a new one.');
      return;
    }
    open.active++;
    open.lastUse = performance.now();
    response.once('close', () => {
      open.active--;
      open.lastUse = performance.now();
    });
    await open.transport.handleRequest(request, response);
  }

  /** A transport for a request that may begin a session; it is kept once the client has initialized. */
  private async begin(userId: string): Promise<HttpTransport> {
    const session = new ClientSession(this.fields, userId);
    const transport = new this.protocol.NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: new RecentMessages(),
      retryInterval: RETRY_MS,
      ...(this.options.maxRequestBytes !== undefined && { maxRequestBodySize: this.options.maxRequestBytes }),
      onsessioninitialized: (id) => {
        this.sessions.set(id, { session, transport, active: 0, lastUse: performance.now() });
        session.onClose(() => this.sessions.delete(id));
      },
    });
    await session.connect(transport);
    return transport;
  }

  private endIdle(): void {
    const { sessionIdleMs = IDLE_MS } = this.options;
    for (const { session, active, lastUse } of this.sessions.values())
      if (active === 0 && performance.now() - lastUse > sessionIdleMs) void session.close();
  }

  /** The sessions of clients. */
  get clients(): ClientSession[] {
    return [...this.sessions.values()].map(({ session }) => session);
  }

  async close(): Promise<void> {
    clearInterval(this.sweeper);
    await Promise.all(this.clients.map((session) => session.close()));
    const { server } = this;
    if (server === undefined) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }
}

function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }));
}

/** How many messages, and characters of them, are kept for a client whose stream broke. */
const MOST_MESSAGES = 256;
const MOST_CHARACTERS = 4_194_304;

interface KeptMessage {
  readonly id: string;
  readonly streamId: string;
  readonly text: string;
}

/** The latest messages to one client, so that it can take up a stream that broke. */
class RecentMessages implements EventStore {
  private readonly kept: KeptMessage[] = [];
  private characters = 0;
  private last = 0;

  storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const id = String(++this.last);
    const text = JSON.stringify(message);
    this.kept.push({ id, streamId, text });
    this.characters += text.length;
    while (this.kept.length > MOST_MESSAGES || (this.characters > MOST_CHARACTERS && this.kept.length > 1))
      this.characters -= this.kept.shift()?.text.length ?? 0;
    return Promise.resolve(id);
  }

  getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    return Promise.resolve(this.kept.find(({ id }) => id === eventId)?.streamId);
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const index = this.kept.findIndex(({ id }) => id === lastEventId);
    const streamId = this.kept[index]?.streamId;
    if (streamId === undefined) return '';
    const missed = this.kept.slice(index + 1).filter((message) => message.streamId === streamId);
    for (const { id, text } of missed) if (text !== '{}') await send(id, JSON.parse(text) as JSONRPCMessage);
    return streamId;
  }
}
