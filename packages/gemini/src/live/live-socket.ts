import { Boundary, ForeignObject } from '@adorn/core/backend';
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

/** What becomes of the messages of a socket. */
export interface LiveSocketListener {
  /** The setup is accepted. */
  onAccepted(): void;
  /** @throws if the frame has an unexpected shape; then `onLost` follows */
  onFrame(frame: ForeignObject): void;
  /** A message that is not a JSON object. */
  onMalformed(): void;
  /** The socket cannot be used any more, because of what the other side has sent. */
  onLost(error: unknown): void;
}

/**
 * The socket below a session of @google/genai. That gives no access to it before its session is set up, so it could
 * neither be closed when the setup takes too long, nor be asked for its unsent bytes; and it reads messages where nobody
 * catches what it throws. So all frames but the acceptance of the setup are read here.
 */
export class LiveSocket {
  private socket: Socket | undefined;
  private opened: OpenSocket | undefined;

  /** Bytes that have not left this process yet. */
  get bufferedBytes(): number {
    return this.opened?.bufferedAmount ?? 0;
  }

  /** The same entry to the Live API, whose sockets are made known to this object. */
  watch(live: Live, listener: LiveSocketListener): Live {
    const { webSocketFactory } = live as unknown as { readonly webSocketFactory: SocketFactory };
    const watched: SocketFactory = {
      create: (url, headers, callbacks) => {
        this.socket = webSocketFactory.create(url, headers, this.watched(callbacks, listener));
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

  private watched(callbacks: SocketCallbacks, listener: LiveSocketListener): SocketCallbacks {
    const boundary = new Boundary((error) => {
      this.terminate();
      listener.onLost(error);
    });
    const read = (text: string): void => {
      const frame = frameIn(text);
      if (!frame) {
        listener.onMalformed();
        return;
      }
      const accepted = frame.object('setupComplete');
      if (accepted) {
        listener.onAccepted();
        callbacks.onmessage({ data: JSON.stringify({ setupComplete: accepted.fields }) });
      }
      listener.onFrame(frame);
    };
    return {
      onopen: boundary.guard((event: SocketEvent) => {
        this.opened = event.target as OpenSocket;
        callbacks.onopen(event);
      }),
      onmessage: boundary.guard(async ({ data }: SocketEvent) => {
        // A browser's message is a `Blob`; all others are read at once.
        if (data instanceof Blob) read(await data.text());
        else read(textOf(data));
      }),
      onerror: boundary.guard(callbacks.onerror),
      onclose: boundary.guard(callbacks.onclose),
    };
  }
}

/** Gemini sends text, or the bytes of one. */
function textOf(data: unknown): string {
  if (data instanceof ArrayBuffer) return Buffer.from(data).toString('utf8');
  return data instanceof Uint8Array ? Buffer.from(data).toString('utf8') : String(data);
}

function frameIn(text: string): ForeignObject | undefined {
  try {
    return ForeignObject.read(JSON.parse(text), 'the message');
  } catch {
    return undefined;
  }
}
