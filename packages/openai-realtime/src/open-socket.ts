import type { RealtimeServerEvent, RealtimeSessionCreateRequest } from 'openai/resources/realtime/realtime';
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
  onEvent(event: RealtimeServerEvent): void;
  /** A message that is not the JSON of an event. */
  onMalformed(): void;
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
    this.socket.on('error', ({ message, code }: NodeJS.ErrnoException) => {
      this.lastError = this.settings.redact(message || (code ?? 'the connection failed'));
    });
    this.socket.on('unexpected-response', (_request, response: IncomingMessage) => {
      void this.readRefusal(response).then(reject, reject);
    });
    this.socket.on('close', (code, reason) => {
      this.onClose(code, reason.toString('utf8'), reject);
    });
    this.socket.on('message', (data) => {
      const event = eventIn(data);
      if (!event) this.listener.onMalformed();
      else if (this.isAccepted) this.listener.onEvent(event);
      else this.onSetupEvent(event, session, accept, reject);
    });
  }

  private onSetupEvent(
    event: RealtimeServerEvent,
    session: RealtimeSessionCreateRequest,
    accept: () => void,
    reject: (error: unknown) => void,
  ): void {
    if (event.type === 'session.created')
      this.socket.send(JSON.stringify({ type: 'session.update', session }));
    if (event.type === 'error') reject(this.refusal(undefined, event.error));
    if (event.type !== 'session.updated') return;
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
    return this.refusal(response.statusCode, errorIn(body));
  }

  private refusal(
    status: number | undefined,
    { message, code }: { readonly message?: string; readonly code?: string | null },
  ): Error {
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

function eventIn(data: RawData): RealtimeServerEvent | undefined {
  try {
    const value: unknown = JSON.parse((data as Buffer).toString('utf8'));
    const isEvent = typeof value === 'object' && value !== null && 'type' in value;
    return isEvent ? (value as RealtimeServerEvent) : undefined;
  } catch {
    return undefined;
  }
}

function errorIn(body: string): { message?: string; code?: string | null } {
  try {
    const { error } = JSON.parse(body) as { error?: { message?: string; code?: string | null } };
    return error ?? {};
  } catch {
    return {};
  }
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
