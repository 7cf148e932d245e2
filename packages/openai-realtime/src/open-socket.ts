import { Boundary, describeThrown, ForeignObject } from '@adorn/core/backend';
import type { RealtimeSessionCreateRequest } from 'openai/resources/realtime/realtime';
import type { IncomingMessage } from 'node:http';
import type { RawData, WebSocket } from 'ws';

import {
  OpenAiRealtimeModelNotFoundError,
  OpenAiRealtimeRefusedError,
  OpenAiRealtimeUnavailableError,
} from './errors.js';
import type { RealtimeSettings } from './realtime-settings.js';

const NETWORK = 'Check the network, the proxy, and baseUrl (or OPENAI_BASE_URL) if you meant another host.';
const KEY = 'Check OPENAI_API_KEY (or apiKey); create a key at https://platform.openai.com/api-keys.';

/** Longest body of a refusal that is read. */
const REFUSAL_BYTES = 20_000;

/** The sides of a socket that has just been opened. */
export interface SocketListener {
  /** @throws if the event has an unexpected shape; then `onLost` follows */
  onEvent(type: string, event: ForeignObject): void;
  /** A message that is not the JSON of an event. */
  onMalformed(): void;
  /** The connection cannot be used any more, because of what the other side has sent. */
  onLost(reason: string): void;
  onClose(code: number, reason: string): void;
}

/** Opens a WebSocket and sets up its session. Nothing that follows the acceptance is lost. */
export class SocketOpening {
  private isAccepted = false;
  private lastError: string | undefined;

  constructor(
    private readonly socket: WebSocket,
    private readonly model: string,
    private readonly settings: RealtimeSettings,
    private readonly listener: SocketListener,
  ) {}

  /**
   * Resolves when the API has accepted the session.
   *
   * @throws OpenAiRealtimeUnavailableError, OpenAiRealtimeModelNotFoundError, OpenAiRealtimeRefusedError, the signal's reason
   */
  async open(
    session: RealtimeSessionCreateRequest,
    { signal, timeout }: { signal: AbortSignal; timeout: number },
  ): Promise<void> {
    let limit: NodeJS.Timeout | undefined;
    let cancel: (() => void) | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        limit = setTimeout(() => {
          reject(this.unavailable(`the setup was not answered within ${String(timeout)} ms`));
        }, timeout);
        cancel = () => {
          reject(signal.reason as Error);
        };
        signal.addEventListener('abort', cancel, { once: true });
        this.listen(session, resolve, reject);
      });
    } catch (error) {
      this.socket.terminate();
      throw error;
    } finally {
      clearTimeout(limit);
      if (cancel) signal.removeEventListener('abort', cancel);
    }
  }

  private listen(
    session: RealtimeSessionCreateRequest,
    accept: () => void,
    reject: (error: unknown) => void,
  ): void {
    const boundary = new Boundary((error) => {
      this.lose(error, reject);
    });
    this.socket.on(
      'error',
      boundary.guard(({ message, code }: NodeJS.ErrnoException) => {
        this.lastError = this.settings.redact(message || (code ?? 'the connection failed'));
      }),
    );
    this.socket.on(
      'unexpected-response',
      boundary.guard((_request: unknown, response: IncomingMessage) =>
        this.readRefusal(response).then(reject, reject),
      ),
    );
    this.socket.on(
      'close',
      boundary.guard((code: number, reason: Buffer) => {
        this.onClose(code, reason.toString('utf8'), reject);
      }),
    );
    this.socket.on(
      'message',
      boundary.guard((data: RawData) => {
        const event = eventIn(data);
        const type = event?.fields['type'];
        if (!event || typeof type !== 'string') this.listener.onMalformed();
        else if (this.isAccepted) this.listener.onEvent(type, event);
        else this.onSetupEvent(type, event, session, accept, reject);
      }),
    );
  }

  private lose(error: unknown, reject: (error: unknown) => void): void {
    const reason = this.settings.redact(`OpenAI sent what cannot be read: ${describeThrown(error).message}`);
    this.socket.terminate();
    if (this.isAccepted) this.listener.onLost(reason);
    else reject(this.unavailable(reason));
  }

  private onSetupEvent(
    type: string,
    event: ForeignObject,
    session: RealtimeSessionCreateRequest,
    accept: () => void,
    reject: (error: unknown) => void,
  ): void {
    if (type === 'session.created') this.socket.send(JSON.stringify({ type: 'session.update', session }));
    if (type === 'error') reject(this.refusal(undefined, refusalIn(event)));
    if (type !== 'session.updated') return;
    this.isAccepted = true;
    accept();
  }

  private onClose(code: number, reason: string, reject: (error: unknown) => void): void {
    if (this.isAccepted) this.listener.onClose(code, reason);
    else if (this.lastError !== undefined) reject(this.unavailable(this.lastError));
    else if (reason !== '') reject(this.refusal(undefined, { message: reason }));
    else
      reject(
        this.unavailable(`the connection was closed (code ${String(code)}) before the setup was accepted`),
      );
  }

  private async readRefusal(response: IncomingMessage): Promise<Error> {
    let body = '';
    for await (const piece of response) {
      body += String(piece);
      if (body.length > REFUSAL_BYTES) break;
    }
    return this.refusal(response.statusCode, refusalOf(body));
  }

  private refusal(status: number | undefined, { message, code }: Refusal): Error {
    const said = sentence(this.settings.redact(message ?? 'no reason was given'));
    if (status === 401 || status === 403 || code === 'invalid_api_key')
      return new OpenAiRealtimeUnavailableError(
        `the key was refused: ${said.replace(/\.$/, '')}`,
        KEY,
        status,
      );
    if (status === 404 || code === 'model_not_found')
      return new OpenAiRealtimeModelNotFoundError(this.model, said);
    if (status !== undefined && status >= 500)
      return new OpenAiRealtimeUnavailableError(`it answered with HTTP ${String(status)}`, NETWORK, status);
    return new OpenAiRealtimeRefusedError(this.model, said);
  }

  private unavailable(what: string): Error {
    return new OpenAiRealtimeUnavailableError(`${what} (${this.settings.url.host})`, NETWORK);
  }
}

/** Why the API refuses a session, as far as it says so. */
interface Refusal {
  readonly message?: string | undefined;
  readonly code?: string | undefined;
}

function eventIn(data: RawData): ForeignObject | undefined {
  try {
    return ForeignObject.read(JSON.parse((data as Buffer).toString('utf8')), 'the event');
  } catch {
    return undefined;
  }
}

function refusalIn(said: ForeignObject): Refusal {
  const error = said.object('error');
  return { message: error?.text('message'), code: error?.text('code') };
}

function refusalOf(body: string): Refusal {
  try {
    return refusalIn(ForeignObject.read(JSON.parse(body), 'the refusal'));
  } catch {
    return {};
  }
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
