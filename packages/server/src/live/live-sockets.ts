import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

import { Boundary } from '@adorn/core/backend';
import { type ServerOptions, WebSocketServer } from 'ws';

import { errorResponse } from '../http/error-response.js';
import type { Share } from '../limits/quota.js';
import type { ServerContext } from '../server-context.js';
import type { LiveAddress } from './live-address.js';
import { LiveCall } from './live-call.js';
import { isWebSocket, leaveToServer, pathOf, type UpgradeRequest } from './upgrade-request.js';

/** What the route of live conversations is told of a request that wants a WebSocket, and what it answers with. */
export interface Upgrade {
  /** Set by the route if the request may have its WebSocket. */
  address?: LiveAddress;
}

/** Answers a request as the routes do. */
type Fetch = (
  request: Request,
  env: { readonly incoming: IncomingMessage; readonly upgrade: Upgrade },
) => Promise<Response>;

/** Milliseconds in which a client answers the close of its WebSocket. */
const CLOSE_MS = 5_000;

/** The WebSockets of live conversations. A request for one passes the routes first, with all their checks. */
export class LiveSockets {
  private readonly sockets: WebSocketServer;
  private readonly calls = new Set<LiveCall>();
  /** The connections of requests for conversations, until they are closed. */
  private readonly connections = new Set<Duplex>();
  private isClosed = false;

  /** @param path of the conversations. Other requests are not for this server */
  constructor(
    private readonly fetch: Fetch,
    private readonly server: ServerContext,
    private readonly path: string,
  ) {
    const { bodyBytes: maxPayload } = server.limits;
    const options: ServerOptions & { closeTimeout: number } = {
      noServer: true,
      maxPayload,
      closeTimeout: CLOSE_MS,
    };
    this.sockets = new WebSocketServer(options);
  }

  /** Listens to `upgrade` of a server of `node:http`. Never rejects. */
  readonly upgrade = async (incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const request = { incoming, socket, head };
    const path = pathOf(incoming)?.replace(/\/$/, '');
    if (path !== this.path || !isWebSocket(incoming)) await leaveToServer(request);
    else await this.admit(request);
  };

  /** Ends all conversations, and waits for their ends. Requests for others, which are still being checked, are dropped. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([...this.calls].map((call) => call.close()));
    for (const socket of this.connections) socket.destroy();
    this.sockets.close();
  }

  private async admit(request: UpgradeRequest): Promise<void> {
    const { incoming, socket } = request;
    const boundary = new Boundary(() => socket.destroy());
    const drop = boundary.guard(() => socket.destroy());
    this.connections.add(socket);
    socket.once(
      'close',
      boundary.guard(() => this.connections.delete(socket)),
    );
    socket.on('error', drop);
    try {
      const upgrade: Upgrade = {};
      const response = await this.fetch(requestOf(incoming), { incoming, upgrade });
      const { address } = upgrade;
      if (this.isClosed) socket.destroy();
      else if (address === undefined || !response.ok) await refuse(socket, response);
      else await this.open(request, address, drop);
    } catch {
      // The request line or a header cannot be read.
      socket.destroy();
    }
  }

  /** Counts the conversation when its WebSocket is opened. `ws` answers handshakes that it refuses. */
  private async open(request: UpgradeRequest, address: LiveAddress, drop: () => void): Promise<void> {
    const { incoming, socket, head } = request;
    const { streams, speech } = this.server.quotas;
    const { userId } = address.key;
    let place: Share;
    try {
      place = streams.open(userId, 1);
    } catch (error) {
      await refuse(socket, errorResponse(error, this.server.logger));
      return;
    }
    try {
      socket.off('error', drop);
      const calls: LiveCall[] = [];
      this.sockets.handleUpgrade(incoming, socket, head, (opened) => {
        const { heartbeatMs, limits } = this.server;
        calls.push(new LiveCall(opened, address, { heartbeatMs, limits, speech: speech.open(userId) }));
      });
      for (const call of calls) await this.until(call);
    } finally {
      place.release();
    }
  }

  private async until(call: LiveCall): Promise<void> {
    this.calls.add(call);
    await call.ended;
    this.calls.delete(call);
  }
}

function requestOf({ url = '/', headers }: IncomingMessage): Request {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  return new Request(new URL(url, `http://${headers.host ?? 'localhost'}`), { headers: given });
}

async function refuse(socket: Duplex, response: Response): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  const lines = [
    `HTTP/1.1 ${String(response.status)} Refused`,
    'connection: close',
    `content-type: ${response.headers.get('content-type') ?? 'application/json'}`,
    `content-length: ${String(body.length)}`,
  ];
  socket.once(
    'finish',
    new Boundary(() => socket.destroy()).guard(() => {
      socket.destroy();
    }),
  );
  socket.end(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]));
}
