import type { Content } from '@adorn/core';
import {
  describeThrown,
  type ForeignObject,
  LiveConnection,
  type LiveEvent,
  type LiveSetupChange,
  type LiveToolResponse,
} from '@adorn/core/backend';
import type { FunctionResponse, FunctionResponseScheduling, Session } from '@google/genai';

import { toOwnContents } from '../request/gemini-contents.js';
import type { LiveSocket } from './live-socket.js';
import { readLiveMessage } from './read-live-message.js';

/** How a model takes what is sent to it. */
export interface LiveDialect {
  /** Text of the user goes the way of speech: models from Gemini 3 on take other contents only before the conversation. */
  readonly textIsRealtime: boolean;
  /** A response to a call may say when it is read. */
  readonly asyncCalls: boolean;
  readonly vertexai: boolean;
  readonly redact: (text: string) => string;
}

/** Codes of WebSocket for a request that will not be accepted the next time either. */
const REFUSALS: ReadonlySet<number> = new Set([1003, 1007, 1008]);

const ORDERLY = 1000;

/** How long the other side has to confirm the end of a connection. */
const FAREWELL_MS = 1_000;

/** An open connection to the Live API. */
export class GeminiLiveConnection extends LiveConnection {
  private session: Session | undefined;
  private isGoingAway = false;

  constructor(
    private readonly socket: LiveSocket,
    private readonly dialect: LiveDialect,
  ) {
    super();
  }

  override get bufferedBytes(): number {
    return this.socket.bufferedBytes;
  }

  /** @param history what was said before; sent first */
  begin(session: Session, history: readonly Content[]): void {
    this.session = session;
    if (history.length > 0) this.sendContents(history, false);
  }

  /** @throws {UnexpectedShapeError} */
  receive(message: ForeignObject): void {
    for (const event of readLiveMessage(message)) this.report(event);
  }

  /** The other side has sent what cannot be read. The session may open another connection. */
  lose(error: unknown): void {
    const said = this.dialect.redact(describeThrown(error).message);
    this.report({ kind: 'closed', clean: false, reason: `Gemini sent what cannot be read: ${said}` });
  }

  override report(event: LiveEvent): void {
    if (event.kind === 'goAway') this.isGoingAway = true;
    super.report(event);
  }

  /** The other side has ended the connection. */
  end(code: number, reason: string): void {
    const said = this.dialect.redact(reason);
    if (REFUSALS.has(code))
      this.report({
        kind: 'error',
        code: 'MODEL_FAILED',
        message: `Gemini closed the connection (code ${String(code)}): ${said}`,
        fatal: true,
      });
    const clean = code === ORDERLY && !this.isGoingAway;
    this.report({ kind: 'closed', clean, reason: said === '' ? undefined : said });
  }

  override sendContents(contents: readonly Content[], respond: boolean): void {
    const own = toOwnContents(contents);
    const text = this.dialect.textIsRealtime && respond ? textOf(own) : undefined;
    this.send((session) => {
      if (text !== undefined) session.sendRealtimeInput({ text });
      else if (own.length > 0) session.sendClientContent({ turns: [...own], turnComplete: respond });
      else if (respond) session.sendClientContent({ turnComplete: true });
    });
  }

  override sendAudio(chunk: Uint8Array): void {
    const audio = { data: base64(chunk), mimeType: 'audio/pcm;rate=16000' };
    this.send((session) => {
      session.sendRealtimeInput({ audio });
    });
  }

  override endAudio(): void {
    this.send((session) => {
      session.sendRealtimeInput({ audioStreamEnd: true });
    });
  }

  override sendVideo(frame: Uint8Array, mimeType: string): void {
    this.send((session) => {
      session.sendRealtimeInput({ video: { data: base64(frame), mimeType } });
    });
  }

  override sendActivity(activity: 'start' | 'end'): void {
    this.send((session) => {
      session.sendRealtimeInput(activity === 'start' ? { activityStart: {} } : { activityEnd: {} });
    });
  }

  override sendToolResponses(responses: readonly LiveToolResponse[]): void {
    if (responses.length === 0) return;
    const functionResponses = responses.map((response) => this.functionResponse(response));
    this.send((session) => {
      session.sendToolResponse({ functionResponses });
    });
  }

  /** Gemini has no message that stops an answer (`interrupts` of its capabilities is false). */
  override interrupt(): void {
    this.report(unsupported('interrupt'));
  }

  /** The setup of a connection stays as it is (`updates` of the capabilities is false). */
  override update(_change: LiveSetupChange): void {
    this.report(unsupported('update'));
  }

  override close(): void {
    if (this.isClosed) return;
    this.report({ kind: 'closed', clean: true });
    this.socket.close();
    setTimeout(() => {
      this.socket.terminate();
    }, FAREWELL_MS).unref();
  }

  private functionResponse({
    id,
    name,
    response,
    scheduling,
    willContinue,
  }: LiveToolResponse): FunctionResponse {
    const { asyncCalls, vertexai } = this.dialect;
    return {
      id: id === '' && vertexai ? undefined : id,
      name,
      response: { ...response },
      scheduling: asyncCalls
        ? (scheduling?.toUpperCase() as unknown as FunctionResponseScheduling | undefined)
        : undefined,
      willContinue: asyncCalls ? willContinue : undefined,
    };
  }

  private send(act: (session: Session) => void): void {
    if (!this.session || this.isClosed) return;
    try {
      act(this.session);
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      this.report({
        kind: 'error',
        code: 'MODEL_FAILED',
        message: `A message cannot be sent to Gemini, and was left out: ${this.dialect.redact(said)}`,
        fatal: false,
      });
    }
  }
}

function unsupported(method: 'interrupt' | 'update'): LiveEvent {
  return {
    kind: 'error',
    code: 'LIVE_NOT_SUPPORTED',
    message: `Gemini has no message for "${method}" of an open connection; nothing was sent.`,
    fatal: false,
  };
}

/** The text of one message of the user; undefined if there is anything else. */
function textOf(contents: readonly Content[]): string | undefined {
  const [content, ...others] = contents;
  if (!content || others.length > 0 || content.role === 'model') return undefined;
  const parts = content.parts ?? [];
  return parts.every((part) => typeof part.text === 'string')
    ? parts.map(({ text }) => text).join('')
    : undefined;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
