import { checkOptions } from '@adorn/core/backend';
import {
  type LiveCapabilities,
  type LiveConnection,
  type LiveConnectOptions,
  LiveModel,
  type LiveSetup,
} from '@adorn/core/backend';

import { REALTIME_OPTIONS } from './openai-realtime-option-rules.js';
import type { OpenAiRealtimeOptions } from './openai-realtime-options.js';
import { OpenAiRealtimeConnection } from './openai-realtime.connection.js';
import { SocketOpening } from './open-socket.js';
import { RATE, toSession } from './realtime-session.js';
import { readSettings, type RealtimeSettings, socketUrl } from './realtime-settings.js';

/**
 * OpenAI's Realtime API over WebSocket.
 *
 * Making one is cheap: the environment is read and the client of WebSockets loaded with the first connection. The
 * connection is `wss`, or `ws` to this machine, as `baseUrl` is https or http.
 *
 * @example
 * new OpenAiRealtimeModel({ model: 'gpt-realtime' })
 */
export class OpenAiRealtimeModel extends LiveModel {
  readonly name: string;
  readonly capabilities: LiveCapabilities = {
    modalities: ['audio', 'text'],
    inputs: ['text', 'audio', 'video', 'activity'],
    inputRate: RATE,
    outputRate: RATE,
    transcribes: ['input', 'output'],
    resumes: false,
    updates: true,
    asyncCalls: false,
    interrupts: true,
    voices: true,
    providerTools: [],
  };
  private settings: RealtimeSettings | undefined;

  /** @throws OpenAiRealtimeUnavailableError (`MODEL_UNAVAILABLE`) when `baseUrl` must not receive the API key */
  constructor(private readonly options: OpenAiRealtimeOptions = {}) {
    super();
    checkOptions('new OpenAiRealtimeModel', options, REALTIME_OPTIONS);
    this.name = options.model ?? 'gpt-realtime';
    if (options.baseUrl !== undefined) socketUrl(options.baseUrl, this.name);
  }

  /** `openai`. */
  override get provider(): string {
    return 'openai';
  }

  /** @throws OpenAiRealtimeUnavailableError (`MODEL_UNAVAILABLE`) saying what to set */
  override ready(): void {
    this.settings ??= readSettings(this.options, this.name, process.env);
  }

  /**
   * @throws OpenAiRealtimeUnavailableError (`MODEL_UNAVAILABLE`), OpenAiRealtimeModelNotFoundError (`MODEL_NOT_FOUND`),
   * OpenAiRealtimeRefusedError (`MODEL_FAILED`), LiveNotSupportedError (`LIVE_NOT_SUPPORTED`) for settings that the API
   * does not have, and the signal's reason
   */
  override async connect(setup: LiveSetup, options: LiveConnectOptions): Promise<LiveConnection> {
    const { signal } = options;
    signal.throwIfAborted();
    const settings = (this.settings ??= readSettings(this.options, this.name, process.env));
    const session = toSession(this.name, setup, this.options);
    const { WebSocket } = await import('ws');
    const { url, apiKey, headers, redact } = settings;
    const socket = new WebSocket(url, {
      headers: { ...headers, authorization: `Bearer ${apiKey}` },
      perMessageDeflate: false,
    });
    const connection = new OpenAiRealtimeConnection(socket, {
      activity: setup.activity,
      interruptible: this.options.interruptible ?? true,
      transcribesOutput: setup.transcribe.output,
      redact,
    });
    const onAbort = (): void => {
      connection.close();
    };
    const opening = new SocketOpening(socket, this.name, settings, {
      onEvent: (type, event) => {
        connection.receive(type, event);
      },
      onMalformed: () => {
        connection.report(MALFORMED);
      },
      onLost: (reason) => {
        signal.removeEventListener('abort', onAbort);
        connection.lose(reason);
      },
      onClose: (code, reason) => {
        signal.removeEventListener('abort', onAbort);
        connection.end(code, reason);
      },
    });
    await opening.open(session, options);
    signal.addEventListener('abort', onAbort, { once: true });
    connection.sendContents(setup.history, false);
    return connection;
  }
}

const MALFORMED = {
  kind: 'error',
  code: 'MODEL_FAILED',
  message: 'OpenAI sent a message that is not an event; it was left out.',
  fatal: false,
} as const;
