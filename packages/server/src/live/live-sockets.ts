import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

import { Boundary } from '@adorn/core/backend';
import { WebSocketServer } from 'ws';

import type { LiveAddress } from './live-address.js';
import { LiveCall } from './live-call.js';

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

/** The WebSockets of live conversations. A request for one passes the routes first, with all their checks. */
export class LiveSockets {
  private readonly sockets: WebSocketServer;
  private readonly calls = new Set<LiveCall>();

  /** @param maxBytes the largest frame of a client */
  constructor(
    private readonly fetch: Fetch,
    maxBytes: number,
    private readonly heartbeatMs: number | undefined,
  ) {
    this.sockets = new WebSocketServer({ noServer: true, maxPayload: maxBytes });
  }

  /** Listens to `upgrade` of a server of `node:http`. Never rejects. */
  readonly upgrade = async (incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const { fail: drop } = new Boundary(() => socket.destroy());
    socket.on('error', drop);
    try {
      const upgrade: Upgrade = {};
      const response = await this.fetch(requestOf(incoming), { incoming, upgrade });
      const { address } = upgrade;
      if (address === undefined) {
        await refuse(socket, response);
        return;
      }
      socket.off('error', drop);
      this.sockets.handleUpgrade(incoming, socket, head, (opened) => {
        const call = new LiveCall(opened, address, this.heartbeatMs);
        this.calls.add(call);
        void call.ended.then(() => this.calls.delete(call));
      });
    } catch {
      // The request line or a header cannot be read.
      socket.destroy();
    }
  };

  /** Ends all conversations, and waits for their ends. */
  async close(): Promise<void> {
    await Promise.all([...this.calls].map((call) => call.close()));
    this.sockets.close();
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
  socket.end(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]));
}
