import { Boundary, type LiveSession, RequestNotPendingError } from '@adorn/core/backend';
import { WebSocket } from 'ws';

import { adkEvent } from '../adk/adk-json.js';
import { RequestError } from '../errors.js';
import { faultOf } from '../frames/to-wire.js';
import type { Limits } from '../limits/limits.js';
import type { Share } from '../limits/quota.js';
import type { LiveAddress } from './live-address.js';
import { type LiveAnswer, type LiveFrame, readLiveFrame } from './live-frame.js';

/** Codes with which a WebSocket is closed (RFC 6455). */
const NORMAL = 1000;
const NOT_FOUND = 1002;
const REFUSED = 1007;
const TOO_MUCH = 1009;

/** Milliseconds in which a session stores what has arrived when its client has left. */
const ENDING_MS = 3_000;
const FAILED = 1011;

export interface LiveCallOptions {
  /** Milliseconds between two pings. Default: 15,000. */
  readonly heartbeatMs: number | undefined;
  readonly limits: Pick<Limits, 'bodyValues' | 'stalledMs'>;
  /** What the conversation holds of the bytes that wait for models. */
  readonly speech: Share;
}

/** A live conversation over a WebSocket: frames of the client in, events out. The client that leaves ends it. */
export class LiveCall {
  /** Resolves when the conversation has ended and its WebSocket is closed. Never rejects. */
  readonly ended: Promise<void>;
  private live: LiveSession | undefined;
  /** Frames are taken in the order in which they came. */
  private taken: Promise<void> = Promise.resolve();
  /** Bytes of frames that have come and are not taken. */
  private untaken = 0;
  /** Whatever fails in a listener ends this conversation. */
  private readonly boundary = new Boundary((error) => {
    this.socket.close(FAILED, reasonOf(error));
  });

  constructor(
    private readonly socket: WebSocket,
    private readonly address: LiveAddress,
    private readonly options: LiveCallOptions,
  ) {
    this.ended = this.hold();
  }

  /** Ends the conversation. A client that takes nothing does not delay it. */
  async close(): Promise<void> {
    this.socket.close(NORMAL);
    if (this.live !== undefined) await endSession(this.live);
    this.socket.terminate();
    await this.ended;
  }

  private async hold(): Promise<void> {
    const { socket, address } = this;
    const closed = new Promise<void>((resolve) => {
      socket.once(
        'close',
        this.boundary.guard(() => {
          resolve();
        }),
      );
    });
    const heartbeat = this.keepAlive();
    socket.on('error', ignore);
    try {
      if (address.isFound) await this.converse();
      else socket.close(NOT_FOUND, 'Session not found');
    } catch (error) {
      socket.close(FAILED, reasonOf(error));
    } finally {
      await closed;
      clearInterval(heartbeat);
      this.options.speech.release();
    }
  }

  private async converse(): Promise<void> {
    const { socket, address } = this;
    const { userId, sessionId } = address.key;
    const live = address.runner.live({ userId, sessionId, ...address.signature });
    this.live = live;
    const end = this.boundary.guard(() => endSession(live));
    socket.on('close', end);
    socket.on(
      'message',
      this.boundary.guard((data: unknown, isBinary: boolean) => {
        this.receive(isBinary ? '' : textOf(data));
      }),
    );
    if (socket.readyState !== WebSocket.OPEN) end();
    for await (const event of live) await this.send(JSON.stringify(adkEvent(event)));
    const { error } = await live.ended;
    if (error === undefined) socket.close(NORMAL);
    else socket.close(FAILED, reasonOf(error));
  }

  /** Waits until the socket has taken the text, so that a slow client does not fill the memory. */
  private send(text: string): Promise<void> {
    const { socket, options } = this;
    return new Promise((resolve) => {
      const stalled = setTimeout(() => {
        socket.terminate();
      }, options.limits.stalledMs).unref();
      socket.send(text, () => {
        clearTimeout(stalled);
        resolve();
      });
    });
  }

  /** Takes a frame after those before it. One that exceeds what may wait for the model closes the socket. */
  private receive(text: string): void {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    const bytes = Buffer.byteLength(text);
    this.untaken += bytes;
    try {
      this.measure();
    } catch (error) {
      this.socket.close(TOO_MUCH, reasonOf(error));
      return;
    }
    this.taken = this.taken.then(async () => {
      await this.take(text);
      this.untaken -= bytes;
    });
  }

  /** @throws {LimitReachedError} if more waits for the model than may wait */
  private measure(): void {
    this.options.speech.hold(this.untaken + (this.live?.bufferedBytes ?? 0));
  }

  private async take(text: string): Promise<void> {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    try {
      await this.perform(readLiveFrame(text, this.options.limits.bodyValues));
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
        if (live !== undefined) void endSession(live);
        break;
    }
  }

  /** Ends a connection that does not answer a ping until the next one, and counts again what the model has taken since. */
  private keepAlive(): NodeJS.Timeout {
    const { socket, options } = this;
    let isAlive = true;
    socket.on(
      'pong',
      this.boundary.guard(() => {
        isAlive = true;
      }),
    );
    return setInterval(() => {
      if (!isAlive) socket.terminate();
      isAlive = false;
      socket.ping(ignore);
      try {
        this.measure();
      } catch (error) {
        socket.close(TOO_MUCH, reasonOf(error));
      }
    }, options.heartbeatMs ?? 15_000).unref();
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

/** Closes a session. One that does not end, because its model is still being connected to, is cancelled. */
async function endSession(live: LiveSession): Promise<void> {
  const late = setTimeout(() => {
    live.cancel();
  }, ENDING_MS).unref();
  await live.close();
  clearTimeout(late);
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
