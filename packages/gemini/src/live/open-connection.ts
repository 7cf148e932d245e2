import { Boundary, type LiveConnectOptions } from '@adorn/core/backend';
import type { GoogleGenAI, LiveConnectConfig, Session } from '@google/genai';

import { GeminiLiveConnection, type LiveDialect } from './gemini-live.connection.js';
import { LiveSocket } from './live-socket.js';

/** What is to be connected. */
export interface LiveErrand {
  readonly client: GoogleGenAI;
  readonly model: string;
  readonly config: LiveConnectConfig;
  readonly dialect: LiveDialect;
}

/** Why a connection could not be opened. */
export type LiveFailure =
  | { readonly kind: 'closed'; readonly code: number; readonly reason: string }
  | { readonly kind: 'connection'; readonly error: unknown }
  | { readonly kind: 'timeout'; readonly ms: number }
  /** @google/genai, or Google's login library, has thrown before anything was sent. */
  | { readonly kind: 'request'; readonly error: unknown };

/** A failure on its way to the one who says it in words. */
export class LiveFailedSignal extends Error {
  constructor(readonly failure: LiveFailure) {
    super(failure.kind);
  }
}

/**
 * Opens a session of @google/genai, whose promise stays pending for ever if the connection is refused, or closed before
 * the setup is confirmed.
 *
 * @throws LiveFailedSignal, or the reason of the signal
 */
export async function openConnection(
  errand: LiveErrand,
  { signal, timeout }: Pick<LiveConnectOptions, 'signal' | 'timeout'>,
): Promise<{ readonly connection: GeminiLiveConnection; readonly session: Session }> {
  signal.throwIfAborted();
  const socket = new LiveSocket();
  const connection = new GeminiLiveConnection(socket, errand.dialect);
  const onAbort = (): void => {
    connection.close();
  };
  const opening = new Opening(connection);
  const limit = setTimeout(() => {
    opening.fail({ kind: 'timeout', ms: timeout });
  }, timeout);
  const cancel = (): void => {
    opening.reject(signal.reason);
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const session = await opening.session(errand, socket);
    if (!connection.isClosed) signal.addEventListener('abort', onAbort, { once: true });
    opening.onEnd = () => {
      signal.removeEventListener('abort', onAbort);
    };
    return { connection, session };
  } catch (error) {
    socket.terminate();
    throw error;
  } finally {
    clearTimeout(limit);
    signal.removeEventListener('abort', cancel);
  }
}

/** One connection while it is being opened; afterwards it passes on what comes. */
class Opening {
  reject: (reason: unknown) => void = () => undefined;
  onEnd: () => void = () => undefined;
  private isOpen = false;
  private readonly failed: Promise<never>;
  private lastError: unknown;

  constructor(private readonly connection: GeminiLiveConnection) {
    this.failed = new Promise<never>((_, reject) => {
      this.reject = reject;
    });
    this.failed.catch(() => undefined);
  }

  fail(failure: LiveFailure): void {
    this.reject(new LiveFailedSignal(failure));
  }

  async session({ client, model, config }: LiveErrand, socket: LiveSocket): Promise<Session> {
    const live = socket.watch(client.live, {
      onAccepted: () => {
        this.isOpen = true;
      },
      onFrame: (frame) => {
        this.connection.receive(frame);
      },
      onMalformed: () => {
        this.onMalformed();
      },
      onLost: (error) => {
        this.onLost(error);
      },
    });
    const boundary = new Boundary((error) => {
      this.onLost(error);
    });
    const callbacks = {
      // Frames have been read by then.
      onmessage: () => undefined,
      onerror: boundary.guard((event: { readonly error?: unknown; readonly message?: string }) => {
        this.lastError = event.error ?? event.message;
      }),
      onclose: boundary.guard(({ code, reason }: { readonly code: number; readonly reason: string }) => {
        this.onClose(code, reason);
      }),
    };
    const connecting = live.connect({ model, config, callbacks }).catch((error: unknown) => {
      throw new LiveFailedSignal({ kind: 'request', error });
    });
    return Promise.race([connecting, this.failed]);
  }

  private onMalformed(): void {
    this.connection.report({
      kind: 'error',
      code: 'MODEL_FAILED',
      message: 'Gemini sent a message that is not JSON; it was left out.',
      fatal: false,
    });
  }

  private onLost(error: unknown): void {
    this.onEnd();
    if (this.isOpen) this.connection.lose(error);
    else this.fail({ kind: 'connection', error });
  }

  private onClose(code: number, reason: string): void {
    this.onEnd();
    if (this.isOpen) this.connection.end(code, reason);
    else if (this.lastError !== undefined) this.fail({ kind: 'connection', error: this.lastError });
    else this.fail({ kind: 'closed', code, reason });
  }
}
