import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { admitted, Boundary, isSameJson, readSender, type Sender } from '@adorn/core/backend';
import { withinTrace } from '@adorn/http';
import type * as nodeProtocol from '@modelcontextprotocol/node';
import type { EventStore, JSONRPCMessage, McpHttpHandler } from '@modelcontextprotocol/server';

import { LOOPBACK } from './check-serve-options.js';
import { ClientSession } from './client-session.js';
import { serveRequest, type ServingFields } from './protocol-server.js';
import type { ServeHttpOptions } from './serve-options.js';
import { StatelessCalls } from './stateless-calls.js';

type Protocol = typeof nodeProtocol;
type HttpTransport = nodeProtocol.NodeStreamableHTTPServerTransport;

/** The session of a client, and the HTTP requests of that client that are being answered. */
interface OpenSession {
  readonly session: ClientSession;
  readonly transport: HttpTransport;
  messages: number;
  /** Streams on which the client waits for messages. They may stay open for as long as the client is there. */
  streams: number;
  lastUse: number;
}

type SessionEntry = readonly [id: string, open: OpenSession];

const MOST_SESSIONS = 1_000;
/** A user may have one of so many parts of all sessions, and a few in any case. */
const SHARES = 10;
const LEAST_SHARE = 10;
const IDLE_MS = 1_800_000;
const SWEEP_MS = 30_000;
/** How soon a client may take up a stream that the server closed, in milliseconds. */
const RETRY_MS = 500;

/** The endpoint of a server over streamable HTTP. Each client has a session with a transport and a server of its own. */
export class HttpEndpoint {
  private readonly sessions = new Map<string, OpenSession>();
  private readonly sweeper: NodeJS.Timeout;
  private server: Server | undefined;
  private stateless: Promise<McpHttpHandler> | undefined;
  /** The handler of requests without a session, once there was one. */
  private handler: McpHttpHandler | undefined;

  constructor(
    private readonly fields: ServingFields,
    private readonly options: ServeHttpOptions,
    private isClosed = false,
  ) {
    const { sessionIdleMs = IDLE_MS } = options;
    const sweep = (): void => {
      this.endIdle(sessionIdleMs);
    };
    this.sweeper = setInterval(sweep, Math.min(SWEEP_MS, sessionIdleMs)).unref();
  }

  /** Listens for clients. Resolves to the URL of the endpoint. */
  async listen({ host = '127.0.0.1', port = 0, path = '/mcp' }: ServeHttpOptions): Promise<string> {
    const server = (this.server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      if (pathname === path) void this.handle(request, response);
      else refuse(response, 404, 'There is nothing here.');
    }));
    await once(server.listen(port, host.replace(/^\[|\]$/g, '')), 'listening');
    const { port: actual } = server.address() as AddressInfo;
    return `http://${host}:${String(actual)}${path}`;
  }

  /** Answers one request. Never rejects. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    return withinTrace(request.headers, () => this.respond(request, response));
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (this.isClosed) {
        refuse(response, 503, 'The server has closed.');
        return;
      }
      const protocol = await import('@modelcontextprotocol/node');
      const {
        host = '127.0.0.1',
        allowedHosts = [host, ...LOOPBACK],
        allowedOrigins = [...LOOPBACK],
      } = this.options;
      if (!protocol.hostHeaderValidation([...allowedHosts])(request, response)) return;
      if (!protocol.originValidation([...allowedOrigins])(request, response)) return;
      const sender = await this.senderOf(request);
      if (sender === undefined) {
        response.setHeader('www-authenticate', 'Bearer');
        refuse(response, 401, 'The request has no valid credential.');
        return;
      }
      const { isLegacy, body } = await this.readRequest(request, protocol);
      if (request.method === 'POST' && body === undefined) {
        refuse(response, 400, 'Parse error: the body is no JSON.', -32_700);
        return;
      }
      if (isLegacy) await this.serve(request, response, sender, { protocol, body });
      else await this.serveStateless(request, response, sender, { protocol, body });
    } catch (error) {
      if (isTooLarge(error)) {
        refuse(response, 413, error.message);
        return;
      }
      this.fields.options.logger?.error('an MCP request failed', { error });
      refuse(response, 500, 'The request failed.');
    }
  }

  /** Undefined for nobody, and for what is no principal, which is a fault of `authenticate` and logged. */
  private async senderOf(request: IncomingMessage): Promise<Sender | undefined> {
    const { authenticate } = this.options;
    if (authenticate === undefined) return readSender(this.fields.options.userId ?? 'user');
    const given: unknown = await authenticate(request);
    return admitted('an MCP request', this.fields.options.logger, () => readSender(given));
  }

  /** Reads the body of a request, and tells requests of revisions with sessions apart from those without. */
  private async readRequest(
    request: IncomingMessage,
    protocol: Protocol,
  ): Promise<{ isLegacy: boolean; body: unknown }> {
    if (request.method !== 'POST') return { isLegacy: true, body: undefined };
    const { isLegacyRequest } = await import('@modelcontextprotocol/server');
    const { maxRequestBytes } = this.options;
    const limit = maxRequestBytes === undefined ? {} : { maxRequestBodySize: maxRequestBytes };
    const web = await protocol.toWebRequest(request, undefined, limit);
    const body = jsonOf(await web.text());
    return { isLegacy: body === undefined || (await isLegacyRequest(web, body)), body };
  }

  /** Answers a request of a client without a session. */
  private async serveStateless(
    request: IncomingMessage,
    response: ServerResponse,
    sender: Sender,
    { protocol, body }: ReadRequest,
  ): Promise<void> {
    const handler = (this.handler = await (this.stateless ??= this.createHandler()));
    const auth = { token: '', clientId: sender.userId, scopes: [], extra: { sender } };
    await protocol.toNodeHandler(handler)(Object.assign(request, { auth }), response, body);
  }

  private async createHandler(): Promise<McpHttpHandler> {
    const protocol = await import('@modelcontextprotocol/server');
    const calls = new StatelessCalls(this.fields, protocol);
    return protocol.createMcpHandler(
      // What `serveStateless` has passed on.
      ({ authInfo }) => serveRequest(protocol, this.fields, authInfo?.extra?.['sender'] as Sender, calls),
      {
        legacy: 'reject',
        onerror: new Boundary(() => undefined).guard((error: Error) => {
          this.fields.options.logger?.info('an MCP request was refused', { error });
        }),
      },
    );
  }

  /** Tells subscribed clients that have no session. */
  toolsChanged(): void {
    this.handler?.notify.toolsChanged();
  }

  resourceChanged(uri: string): void {
    this.handler?.notify.resourceUpdated(uri);
  }

  private async serve(
    request: IncomingMessage,
    response: ServerResponse,
    sender: Sender,
    { protocol, body }: ReadRequest,
  ): Promise<void> {
    const id = request.headers['mcp-session-id'];
    if (id === undefined) {
      const crowd = this.crowdOf(sender.userId);
      if (crowd !== undefined && this.leastNeeded(crowd) === undefined)
        refuse(response, 503, 'There are too many sessions.');
      else await (await this.begin(sender, protocol)).handleRequest(request, response, body);
      return;
    }
    const open = this.sessions.get(String(id));
    // The session of another principal is not told apart from one that does not exist. One whose roles have changed begins a
    // new one, because the answers of its user come in requests of the session.
    if (open === undefined || !isSameJson(open.session.sender, sender)) {
      refuse(response, 404, 'There is no such session. Initialize a new one.');
      return;
    }
    const kind = request.method === 'GET' ? 'streams' : 'messages';
    open[kind]++;
    open.lastUse = performance.now();
    const boundary = new Boundary(() => response.destroy());
    response.once(
      'close',
      boundary.guard(() => {
        open[kind]--;
        open.lastUse = performance.now();
      }),
    );
    await open.transport.handleRequest(request, response, body);
  }

  /** A transport for a request that may begin a session; it is kept once the client has initialized. */
  private async begin(sender: Sender, protocol: Protocol): Promise<HttpTransport> {
    const session = new ClientSession(this.fields, sender);
    const transport = new protocol.NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: new RecentMessages(),
      retryInterval: RETRY_MS,
      ...(this.options.maxRequestBytes !== undefined && { maxRequestBodySize: this.options.maxRequestBytes }),
      // eslint-disable-next-line adorn/guarded-listeners -- the transport awaits it within the request
      onsessioninitialized: (id) => {
        this.makeRoom(sender.userId);
        this.sessions.set(id, { session, transport, messages: 0, streams: 0, lastUse: performance.now() });
        session.onClose(() => this.sessions.delete(id));
      },
    });
    await session.connect(transport);
    return transport;
  }

  /** The sessions of which one has to end before this user may begin another; undefined if there is room. */
  private crowdOf(userId: string): SessionEntry[] | undefined {
    const { maxSessions = MOST_SESSIONS, authenticate } = this.options;
    // Without authentication all clients are one user.
    const share =
      authenticate === undefined ? maxSessions : Math.max(LEAST_SHARE, Math.floor(maxSessions / SHARES));
    const { maxSessionsPerUser = share } = this.options;
    const all = [...this.sessions];
    const own = all.filter(([, { session }]) => session.sender.userId === userId);
    if (own.length >= maxSessionsPerUser) return own;
    return all.length >= maxSessions ? all : undefined;
  }

  /**
   * The session without a call under way that is needed least: of the user who has the most, of a client that is not
   * connected, idle for longest.
   */
  private leastNeeded(crowd: readonly SessionEntry[]): SessionEntry | undefined {
    const counts = new Map<string, number>();
    const countOf = ([, { session }]: SessionEntry): number => counts.get(session.sender.userId) ?? 0;
    for (const entry of crowd) counts.set(entry[1].session.sender.userId, countOf(entry) + 1);
    const isConnected = ([, { streams }]: SessionEntry): number => Number(streams > 0);
    const [least] = crowd
      .filter(([, open]) => !isBusy(open))
      .sort(
        (one, other) =>
          countOf(other) - countOf(one) ||
          isConnected(one) - isConnected(other) ||
          one[1].lastUse - other[1].lastUse,
      );
    return least;
  }

  private makeRoom(userId: string): void {
    for (let crowd = this.crowdOf(userId); crowd !== undefined; crowd = this.crowdOf(userId)) {
      const [id, open] = this.leastNeeded(crowd) ?? [];
      if (id === undefined) return;
      this.sessions.delete(id);
      void open?.session.close();
    }
  }

  private endIdle(limit: number): void {
    const now = performance.now();
    for (const open of this.sessions.values())
      if (!isBusy(open) && open.streams === 0 && now - open.lastUse > limit) void open.session.close();
  }

  /** The sessions of clients. */
  get clients(): ClientSession[] {
    return [...this.sessions.values()].map(({ session }) => session);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.sweeper);
    await this.handler?.close();
    await Promise.all(this.clients.map((session) => session.close()));
    const { server } = this;
    if (server === undefined) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }
}

/** A request whose body was read; undefined for a body that is no JSON. */
interface ReadRequest {
  readonly protocol: Protocol;
  readonly body: unknown;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isTooLarge(error: unknown): error is Error {
  return error instanceof Error && error.name === 'RequestBodyTooLargeError';
}

/** True if a client waits for an answer: over an open request, or over one whose stream the server has closed meanwhile. */
function isBusy({ messages, session }: OpenSession): boolean {
  return messages > 0 || session.calls > 0;
}

function refuse(response: ServerResponse, status: number, message: string, code = -32_000): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }));
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
