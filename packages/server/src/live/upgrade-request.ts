import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

/** A request with an `Upgrade` header, as `upgrade` of a server of `node:http` gives it. */
export interface UpgradeRequest {
  readonly incoming: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** True for the handshake of a WebSocket. Other clients offer protocols too, such as `h2c`, beside any method and body. */
export function isWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

/** The path of a request line, also of one with a whole address; undefined if it cannot be read. */
export function pathOf({ url = '/' }: IncomingMessage): string | undefined {
  if (url.startsWith('/')) return url.split(/[?#]/, 1)[0];
  return URL.canParse(url) ? new URL(url).pathname : undefined;
}

/**
 * Leaves a request to its server, as if nobody listened to `upgrade` here. Where others listen, a WebSocket is theirs; what
 * nobody takes is read again as a request without the offer, which a server may ignore (RFC 9110, 7.8).
 */
export async function leaveToServer(request: UpgradeRequest): Promise<void> {
  const { incoming, socket } = request;
  const server = serverOf(socket);
  if (server === undefined || server.listenerCount('upgrade') > 1) {
    if (isWebSocket(incoming)) return;
    await setImmediate();
    if (isTaken(socket)) return;
  }
  if (server === undefined) socket.destroy();
  else readAgain(request, server);
}

/** `node:net` and `node:tls` name the server of a connection. */
function serverOf(socket: Duplex): Server | undefined {
  const { server } = socket as Duplex & { readonly server?: Server };
  return server;
}

/** True if somebody else reads from the connection or has ended it. */
function isTaken(socket: Duplex): boolean {
  return (
    socket.destroyed ||
    socket.writableEnded ||
    socket.readableFlowing !== null ||
    socket.listenerCount('data') + socket.listenerCount('readable') > 0
  );
}

/** Headers that belong to the offer. */
const OFFER = new Set(['upgrade', 'http2-settings']);

/** Has the server parse the request from its first line. `connection` is the event by which servers take connections. */
function readAgain({ incoming, socket, head }: UpgradeRequest, server: Server): void {
  const { method = 'GET', url = '/', httpVersion, rawHeaders } = incoming;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    const kept = name.toLowerCase() === 'connection' ? withoutOffer(value) : value;
    if (!OFFER.has(name.toLowerCase()) && kept !== '') lines.push(`${name}: ${kept}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket);
}

function withoutOffer(connection: string): string {
  const names = connection.split(',').map((name) => name.trim());
  return names.filter((name) => !OFFER.has(name.toLowerCase())).join(', ');
}
