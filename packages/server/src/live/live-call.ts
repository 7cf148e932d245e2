import { Boundary, type LiveSession, RequestNotPendingError } from '@adorn/core/backend';
import { WebSocket } from 'ws';

import { adkEvent } from '../adk/adk-json.js';
import { RequestError } from '../errors.js';
import { faultOf } from '../frames/to-wire.js';
import type { LiveAddress } from './live-address.js';
import { type LiveAnswer, type LiveFrame, readLiveFrame } from './live-frame.js';

/** Codes with which a WebSocket is closed (RFC 6455). */
const NORMAL = 1000;
const NOT_FOUND = 1002;
const REFUSED = 1007;
const FAILED = 1011;

/** A live conversation over a WebSocket: frames of the client in, events out. The client that leaves ends it. */
export class LiveCall {
  /** Resolves when the conversation has ended. Never rejects. */
  readonly ended: Promise<void>;
  private live: LiveSession | undefined;
  /** Frames are taken in the order in which they came. */
  private taken: Promise<void> = Promise.resolve();
  /** Whatever fails in a listener ends this conversation. */
  private readonly boundary = new Boundary((error) => {
    this.socket.close(FAILED, reasonOf(error));
  });

  constructor(
    private readonly socket: WebSocket,
    private readonly address: LiveAddress,
    heartbeatMs = 15_000,
  ) {
    this.ended = this.hold(heartbeatMs);
  }

  async close(): Promise<void> {
    this.socket.close(NORMAL);
    await this.live?.close();
    this.socket.terminate();
    await this.ended;
  }

  private async hold(heartbeatMs: number): Promise<void> {
    const { socket, address } = this;
    const heartbeat = keepAlive(socket, heartbeatMs, this.boundary);
    socket.on('error', ignore);
    try {
      if (address.isFound) await this.converse();
      else socket.close(NOT_FOUND, 'Session not found');
    } catch (error) {
      socket.close(FAILED, reasonOf(error));
    } finally {
      clearInterval(heartbeat);
      address.onEnd();
    }
  }

  private async converse(): Promise<void> {
    const { socket, address } = this;
    const { userId, sessionId } = address.key;
    const live = address.runner.live({ userId, sessionId });
    this.live = live;
    const close = this.boundary.guard(() => live.close());
    socket.on('close', close);
    socket.on(
      'message',
      this.boundary.guard((data: unknown, isBinary: boolean) => {
        this.taken = this.taken.then(() => this.take(isBinary ? '' : textOf(data)));
      }),
    );
    if (socket.readyState !== WebSocket.OPEN) close();
    for await (const event of live) await this.send(JSON.stringify(adkEvent(event)));
    const { error } = await live.ended;
    if (error === undefined) socket.close(NORMAL);
    else socket.close(FAILED, reasonOf(error));
  }

  /** Waits until the socket has taken the text, so that a slow client does not fill the memory. */
  private send(text: string): Promise<void> {
    return new Promise((resolve) => {
      this.socket.send(text, () => {
        resolve();
      });
    });
  }

  private async take(text: string): Promise<void> {
    try {
      await this.perform(readLiveFrame(text));
    } catch (error) {
      const code =
        error instanceof RequestError || faultOf(error).code !== 'INTERNAL_ERROR' ? REFUSED : FAILED;
      this.socket.close(code, reasonOf(error));
    }
  }

  private async perform(frame: LiveFrame): Promise<void> {
    const { live } = this;
    switch (frame.kind) {
      case 'audio':
        await live?.sendAudio(frame.data, { rate: frame.rate });
        break;
      case 'image':
        live?.sendVideo(frame.data, frame.mimeType);
        break;
      case 'activity':
        live?.sendActivity(frame.activity);
        break;
      case 'content':
        for (const answer of frame.answers) await this.answer(answer);
        if (frame.parts.length > 0 || frame.answers.length === 0) live?.sendText([...frame.parts]);
        break;
      case 'close':
        await live?.close();
        break;
    }
  }

  /** @throws {RequestNotPendingError} */
  private async answer({ id, response }: LiveAnswer): Promise<void> {
    const { runner, key, signature } = this.address;
    const request = (await runner.pending(key)).find((open) => open.id === id);
    if (request === undefined) throw new RequestNotPendingError(id);
    const { confirmed, result = response } = response;
    if (request.kind !== 'confirmation') await this.live?.supply(request, result, signature);
    else if (confirmed === true) await this.live?.approve(request, signature);
    else await this.live?.reject(request, signature);
  }
}

/** Ends a connection that does not answer a ping until the next one. */
function keepAlive(socket: WebSocket, heartbeatMs: number, boundary: Boundary): NodeJS.Timeout {
  let isAlive = true;
  socket.on(
    'pong',
    boundary.guard(() => {
      isAlive = true;
    }),
  );
  return setInterval(() => {
    if (!isAlive) socket.terminate();
    isAlive = false;
    socket.ping();
  }, heartbeatMs).unref();
}

function textOf(data: unknown): string {
  return Buffer.isBuffer(data) ? data.toString('utf8') : '';
}

/** The reason of a close has at most 123 bytes. */
function reasonOf(error: unknown): string {
  const { message } = faultOf(error);
  return Buffer.from(message)
    .subarray(0, 120)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
}

function ignore(): void {
  // The event `close` follows.
}
