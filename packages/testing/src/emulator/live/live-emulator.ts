import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

import type { WebSocketServer } from 'ws';

import { LiveConnectionsLeftOverError, LiveScriptExhaustedError } from './errors.js';
import { LiveConversation, type LiveEmulatorConnection, type LiveSteps } from './live-conversation.js';
import type { LiveWireStep } from './live-step.js';
import type { LiveWire } from './live-wire.js';

/** The script of a live emulator: the steps of each connection, or a function of the connection. */
export type LiveScript =
  readonly (readonly LiveWireStep[])[] | ((connection: LiveEmulatorConnection, index: number) => LiveSteps);

/** A running emulator of a live model's API. */
export interface LiveEmulator extends AsyncDisposable {
  /** The base URL, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  /** Every connection that was opened, in order. */
  readonly connections: readonly LiveEmulatorConnection[];
  /**
   * Throws where the script does not fit what happened so far. A connection that is open may still get to its last step.
   *
   * @throws LiveScriptExhaustedError, LiveScriptLeftOverError, LiveConnectionsLeftOverError
   */
  assertDone(): void;
  /** Ends all connections, then does the same as `assertDone`. */
  close(): Promise<void>;
}

/** Starts a WebSocket server on a free port of 127.0.0.1 that speaks one API. */
export async function startLiveEmulatorOf(wire: LiveWire, script: LiveScript): Promise<LiveEmulator> {
  const { WebSocketServer } = await import('ws');
  const emulator = new SocketEmulator(wire, script, new WebSocketServer({ noServer: true }));
  await emulator.listen();
  return emulator;
}

class SocketEmulator implements LiveEmulator {
  readonly connections: LiveConversation[] = [];
  private readonly faults: unknown[] = [];
  private readonly playing = new Set<Promise<void>>();
  private readonly waiting = new Set<Duplex>();
  private readonly server: Server;

  constructor(
    private readonly wire: LiveWire,
    private readonly script: LiveScript,
    private readonly sockets: WebSocketServer,
  ) {
    this.server = createServer((_request, response) => response.writeHead(426).end());
    this.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      this.open(request, socket, head);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(0, '127.0.0.1', resolve);
    });
  }

  assertDone(): void {
    if (this.faults.length > 0) throw this.faults[0];
    if (typeof this.script === 'function' || this.connections.length >= this.script.length) return;
    throw new LiveConnectionsLeftOverError(this.connections.length, this.script.length);
  }

  async close(): Promise<void> {
    for (const socket of this.waiting) socket.destroy();
    await Promise.all(this.connections.map((connection) => connection.hangUp()));
    await Promise.all(this.playing);
    await new Promise((resolve) => {
      this.server.close(resolve);
      this.server.closeAllConnections();
    });
    this.assertDone();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  private open(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const path = request.url ?? '';
    if (!this.wire.serves(path)) {
      this.refuse(
        socket,
        404,
        `The emulator does not know ${path.replace(/\?.*/, '')}. It speaks ${this.wire.paths}.`,
      );
      return;
    }
    const index = this.connections.length;
    const connection = new LiveConversation(path, request.headers, index + 1, this.wire.connect(path));
    this.connections.push(connection);
    const steps = this.stepsFor(connection, index);
    const first = Array.isArray(steps) ? (steps[0] as LiveWireStep | undefined) : undefined;
    if (first?.kind === 'refuse') this.refuse(socket, first.status, first.message);
    else if (first?.kind === 'ignore') this.ignore(socket);
    else
      this.sockets.handleUpgrade(request, socket, head, (opened) =>
        this.play(connection.play(opened, steps)),
      );
  }

  private stepsFor(connection: LiveConversation, index: number): LiveSteps {
    if (typeof this.script === 'function') return this.script(connection, index);
    const steps = this.script[index];
    if (steps) return steps;
    const error = new LiveScriptExhaustedError(this.script.length);
    this.faults.push(error);
    return [{ kind: 'refuse', status: 500, message: error.message }];
  }

  private play(conversation: Promise<void>): void {
    const playing = conversation.catch((error: unknown) => void this.faults.push(error));
    this.playing.add(playing);
    void playing.then(() => this.playing.delete(playing));
  }

  private ignore(socket: Duplex): void {
    this.waiting.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.waiting.delete(socket));
  }

  private refuse(socket: Duplex, status: number, message: string): void {
    const body = JSON.stringify(this.wire.refusal(status, message));
    const head = `HTTP/1.1 ${String(status)} Refused\r\ncontent-type: application/json\r\ncontent-length: ${String(Buffer.byteLength(body))}\r\nconnection: close\r\n\r\n`;
    socket.on('error', () => socket.destroy());
    socket.end(head + body);
  }
}
