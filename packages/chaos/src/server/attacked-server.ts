import { request } from 'node:http';

import {
  createRunner,
  defineAgent,
  defineTool,
  type Logger,
  type Runner,
  type ToolContext,
} from '@adorn/core';
import { type AdornServer, serve } from '@adorn/server';
import { InMemoryEvalStore } from '@adorn/eval';
import { callsTool, says, ScriptedModel } from '@adorn/testing';

import type { FuzzedRequest } from './fuzzed-request.js';

/** Milliseconds after which a request counts as hanging. */
const MOST_MS = 20_000;

/** What a server answered. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** A server that listens, with sessions of two users; `dev` is a developer. */
export class AttackedServer implements AsyncDisposable {
  private constructor(
    readonly runner: Runner,
    private readonly server: AdornServer,
    /** What the server logged as an error. */
    readonly errors: string[],
  ) {}

  static async open(): Promise<AttackedServer> {
    const model = new ScriptedModel(
      callsTool('refund', { orderId: 'A' }),
      ...Array.from({ length: 20_000 }, () => says('Hi.')),
    );
    const runner = await createRunner(deskAgent(), { model });
    for (const userId of ['ada', 'dev'])
      await runner.sessions.createSession({ appName: 'desk', userId, sessionId: 's1' });
    const errors: string[] = [];
    const authenticate = ({ headers }: Request) => {
      const userId = headers.get('x-user') ?? undefined;
      return userId === 'dev' ? { userId, isDeveloper: true } : userId;
    };
    const store = new InMemoryEvalStore();
    const conversation = [{ userContent: { role: 'user', parts: [{ text: 'Hi' }] } }];
    store.saveSet('desk', { evalSetId: 'set', evalCases: [{ evalId: 'case', conversation }] });
    const logger = loggerInto(errors);
    const options = { port: 0, page: false, authenticate, logger, evals: { store } } as const;
    return new AttackedServer(runner, await serve(runner, options), errors);
  }

  get port(): number {
    return Number(new URL(this.server.url).port);
  }

  /** Sends a request as it is: a client such as `fetch` would mend its path. @throws if it hangs, or gets no answer */
  send(
    sent: Partial<FuzzedRequest> & { readonly headers?: Readonly<Record<string, string>> },
  ): Promise<Answer> {
    const { path = '/', method = 'GET', body = '', user = 'ada', lastEventId = '', headers = {} } = sent;
    const isRead = method === 'GET' || method === 'HEAD';
    const sentHeaders: Record<string, string> = { 'x-user': user, ...headers };
    if (!isRead) {
      sentHeaders['content-type'] ??= 'application/json';
      sentHeaders['content-length'] = String(Buffer.byteLength(body));
    }
    if (lastEventId !== '') sentHeaders['last-event-id'] = lastEventId;
    return new Promise((resolve, reject) => {
      const options = {
        port: this.port,
        host: '127.0.0.1',
        path: inAscii(path),
        method,
        headers: sentHeaders,
      };
      const outgoing = request({ ...options, timeout: MOST_MS }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
        });
        response.on('error', reject);
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer in ${String(MOST_MS)} ms`)));
      outgoing.on('error', reject);
      outgoing.end(isRead ? undefined : body);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close();
    await this.runner.close();
  }
}

/** A client of HTTP sends no other characters. Escapes stay as they are. */
function inAscii(path: string): string {
  return path.replace(/[^\x21-\x7e]/gu, encodeURIComponent);
}

function deskAgent() {
  const parameters = { type: 'object', properties: { orderId: { type: 'string' } } } as const;
  const findOrder = defineTool({
    name: 'find_order',
    description: 'Find an order.',
    effect: 'read',
    parameters,
    run: (order: { orderId?: string }) => ({ ...order, status: 'shipped' }),
  });
  const refund = defineTool({
    name: 'refund',
    description: 'Refund an order.',
    confirm: 'Refund it?',
    parameters,
    run: async (_order: object, context: ToolContext) => {
      await context.saveArtifact('note.txt', { text: 'refunded' });
      return { refunded: true };
    },
  });
  return defineAgent({
    name: 'desk',
    description: 'Service desk.',
    model: 'scripted',
    tools: [findOrder, refund],
  });
}

function loggerInto(errors: string[]): Logger {
  const ignore = (): void => undefined;
  return {
    debug: ignore,
    info: ignore,
    warn: ignore,
    error: (message, fields) => {
      errors.push(`${message} ${String(fields?.['error'])}`);
    },
  };
}
