import type { GoogleGenAI } from '@google/genai';

type Live = GoogleGenAI['live'];

/** The parts of a WebSocket's events that count here, of Node's and of a browser's. */
interface SocketEvent {
  readonly target?: unknown;
  readonly data?: unknown;
}

interface SocketCallbacks {
  readonly onopen: (event: SocketEvent) => void;
  readonly onmessage: (event: SocketEvent) => void;
  readonly onerror: (event: SocketEvent) => void;
  readonly onclose: (event: SocketEvent) => void;
}

interface Socket {
  connect(): void;
  send(message: string): void;
  close(): void;
}

interface SocketFactory {
  create(url: string, headers: Readonly<Record<string, string>>, callbacks: SocketCallbacks): Socket;
}

interface OpenSocket {
  readonly bufferedAmount?: number;
  terminate?(): void;
}

/**
 * The socket below a session of @google/genai. That gives no access to it before its session is set up, so it could
 * neither be closed when the setup takes too long, nor be asked for its unsent bytes.
 */
export class LiveSocket {
  private socket: Socket | undefined;
  private opened: OpenSocket | undefined;

  /** Bytes that have not left this process yet. */
  get bufferedBytes(): number {
    return this.opened?.bufferedAmount ?? 0;
  }

  /**
   * The same entry to the Live API, whose sockets are made known to this object.
   *
   * @param onMalformed called for a message that is not JSON, over which @google/genai would throw where nobody catches
   */
  watch(live: Live, onMalformed: () => void): Live {
    const { webSocketFactory } = live as unknown as { readonly webSocketFactory: SocketFactory };
    const watched: SocketFactory = {
      create: (url, headers, callbacks) => {
        this.socket = webSocketFactory.create(url, headers, this.watched(callbacks, onMalformed));
        return this.socket;
      },
    };
    return Object.create(live, { webSocketFactory: { value: watched } }) as Live;
  }

  close(): void {
    this.socket?.close();
  }

  /** Ends the connection without waiting for the other side. */
  terminate(): void {
    if (!this.opened?.terminate) this.socket?.close();
    else this.opened.terminate();
  }

  private watched(callbacks: SocketCallbacks, onMalformed: () => void): SocketCallbacks {
    return {
      onopen: (event) => {
        this.opened = event.target as OpenSocket;
        callbacks.onopen(event);
      },
      onmessage: (event) => {
        if (isJsonObject(event.data)) callbacks.onmessage(event);
        else onMalformed();
      },
      onerror: callbacks.onerror,
      onclose: callbacks.onclose,
    };
  }
}

/** Text, or the bytes of one, as Gemini sends it. A browser's `Blob` cannot be looked into here. */
function isJsonObject(data: unknown): boolean {
  if (typeof data !== 'string' && !(data instanceof Uint8Array)) return true;
  try {
    const value: unknown = JSON.parse(data.toString());
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}
