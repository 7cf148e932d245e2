import { once } from 'node:events';

import { defineAgent, defineTool, createRunner, type Runner } from '@adorn/core';
import { liveSessions } from '@adorn/live';
import {
  callsLive,
  type LiveStep,
  ScriptedLive,
  ScriptedModel,
  speaks,
  untilAudio,
  untilResponse,
  untilText,
} from '@adorn/testing';
import { WebSocket } from 'ws';

import { serve } from '../serve.js';
import type { AdornServer } from '../serve.js';

interface EventFrame {
  readonly content?: {
    readonly parts?: readonly {
      readonly text?: string;
      readonly inlineData?: { readonly mimeType?: string };
    }[];
  };
  readonly partial?: boolean;
  readonly turnComplete?: boolean;
  readonly longRunningToolIds: readonly string[];
}

/** A served agent with a live model that plays a script. */
class Phone implements AsyncDisposable {
  readonly refunds: string[] = [];

  private constructor(
    readonly runner: Runner,
    readonly server: AdornServer,
    readonly model: ScriptedLive,
  ) {}

  static async open(...script: readonly LiveStep[]): Promise<Phone> {
    const refunds: string[] = [];
    const refund = defineTool({
      name: 'refund',
      description: 'Refund an order.',
      confirm: 'Refund it?',
      parameters: { type: 'object', properties: { orderId: { type: 'string' } } },
      run: ({ orderId = '' }: { orderId?: string }) => {
        refunds.push(orderId);
        return { refunded: orderId };
      },
    });
    const model = new ScriptedModel();
    const live = new ScriptedLive(...script);
    Object.defineProperty(model, 'live', { value: live });
    const Desk = defineAgent({ name: 'desk', description: 'Desk.', model, tools: [refund] });
    const runner = await createRunner(Desk, { modules: [liveSessions] });
    const phone = new Phone(runner, await serve(runner, { port: 0, page: false }), live);
    Object.assign(phone, { refunds });
    await runner.sessions.createSession({ appName: 'desk', userId: 'user', sessionId: 's1' });
    return phone;
  }

  connect(query = 'app_name=desk&user_id=user&session_id=s1', headers: Record<string, string> = {}): Call {
    const url = `${this.server.url.replace('http', 'ws')}/run_live?${query}`;
    const authorization = `Bearer ${this.server.token ?? ''}`;
    return new Call(new WebSocket(url, { headers: { authorization, ...headers } }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close();
    await this.runner.close();
  }
}

class Call {
  readonly events: EventFrame[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;
  readonly opened: Promise<unknown>;

  constructor(readonly socket: WebSocket) {
    this.opened = once(socket, 'open');
    this.opened.catch(() => undefined);
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => {
        resolve({ code, reason: reason.toString() });
      });
      socket.on('error', ({ message }) => {
        resolve({ code: 0, reason: message });
      });
    });
    socket.on('message', (data) => {
      this.events.push(JSON.parse((data as Buffer).toString()) as EventFrame);
    });
  }

  send(frame: unknown): void {
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  /** Waits for an event. */
  async until(isMet: (event: EventFrame) => boolean): Promise<EventFrame> {
    for (;;) {
      const met = this.events.find(isMet);
      if (met !== undefined) return met;
      await once(this.socket, 'message');
    }
  }
}

const textOf = ({ content }: EventFrame) => (content?.parts ?? []).map(({ text = '' }) => text).join('');
const AUDIO = Buffer.alloc(320).toString('base64');

describe('/run_live', () => {
  it('takes speech and texts, and answers with speech and stored transcripts', async () => {
    await using phone = await Phone.open(untilAudio(), speaks('Hello there.'), untilText(), speaks('Bye.'));
    const call = phone.connect();
    await call.opened;
    call.send({ blob: { mime_type: 'audio/pcm;rate=16000', data: AUDIO } });
    const speech = await call.until(({ content }) => content?.parts?.[0]?.inlineData !== undefined);
    expect(speech.partial).toBe(true);
    expect(speech.content?.parts?.[0]?.inlineData?.mimeType).toMatch(/^audio\/pcm/);
    await call.until((event) => textOf(event) === 'Hello there.' && event.partial !== true);
    call.send({ content: { role: 'user', parts: [{ text: 'Thanks' }] } });
    await call.until((event) => textOf(event) === 'Bye.' && event.partial !== true);
    call.send({ close: true });
    expect(await call.closed).toMatchObject({ code: 1000 });
    const session = await phone.runner.sessions.getSession({
      appName: 'desk',
      userId: 'user',
      sessionId: 's1',
    });
    expect(session?.events.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['Hello there.', 'Thanks', 'Bye.']),
    );
  });

  it.each([
    [true, ['A'], /"refunded":"A"/],
    [false, [], /declined|rejected|refused/i],
  ])('runs a call only if the client confirms it: %s', async (confirmed, refunds, result) => {
    await using phone = await Phone.open(
      untilText(),
      callsLive('refund', { orderId: 'A' }, 'c1'),
      untilResponse('c1'),
      speaks('Done.'),
    );
    const call = phone.connect();
    await call.opened;
    call.send({ content: { parts: [{ text: 'Refund A' }] } });
    const { longRunningToolIds } = await call.until((event) => event.longRunningToolIds.length > 0);
    expect(phone.refunds).toEqual([]);
    const functionResponse = {
      id: longRunningToolIds[0],
      name: 'adk_request_confirmation',
      response: { confirmed },
    };
    call.send({ content: { parts: [{ functionResponse }] } });
    await call.until((event) => result.test(JSON.stringify(event.content ?? {})));
    expect(phone.refunds).toEqual(refunds);
  });

  it.each([
    ['without a credential', '', { authorization: 'Bearer wrong' }, '401'],
    ['of a foreign page', '', { origin: 'https://evil.example' }, '403'],
    ['at a foreign host', '', { host: 'evil.example' }, '403'],
    ['to an application that does not exist', 'app_name=no&session_id=s1', {}, '404'],
    ['without a session', 'app_name=desk', {}, '400'],
  ])('refuses a socket %s', async (_what, query, headers, status) => {
    await using phone = await Phone.open();
    const call = phone.connect(query === '' ? undefined : query, headers);
    expect(await call.closed).toEqual({ code: 0, reason: `Unexpected server response: ${status}` });
  });

  it('says to the model at once what is posted to its session, and stores it once', async () => {
    await using phone = await Phone.open(untilText(), speaks('I see it.'));
    const call = phone.connect();
    await call.opened;
    const { url, token = '' } = phone.server;
    const at = performance.now();
    const posted = await fetch(`${url}/adorn/apps/desk/sessions/s1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'By the page.' }),
    });
    expect(posted.status).toBe(202);
    await call.until((event) => textOf(event) === 'I see it.' && event.partial !== true);
    expect(performance.now() - at).toBeLessThan(1_000);
    call.send({ close: true });
    await call.closed;
    const key = { appName: 'desk', userId: 'user', sessionId: 's1' };
    const session = await phone.runner.sessions.getSession(key);
    expect(session?.events.filter(({ text }) => text === 'By the page.')).toHaveLength(1);
    expect(await phone.runner.sessions.listMail(key)).toEqual([]);
  });

  it('tells of a session that does not exist by the reason of the close', async () => {
    await using phone = await Phone.open();
    const call = phone.connect('app_name=desk&session_id=none');
    expect(await call.closed).toEqual({ code: 1002, reason: 'Session not found' });
  });

  it('converts speech of the rate that its type states to the rate that the model hears', async () => {
    await using phone = await Phone.open(untilText(), speaks('Heard.'));
    const call = phone.connect();
    await call.opened;
    const data = Buffer.alloc(16_000).toString('base64');
    for (const mimeType of ['audio/pcm;rate=8000', 'audio/pcm; rate=8000', 'audio/pcm;rate=16000'])
      call.send({ blob: { mimeType, data } });
    call.send({ content: { parts: [{ text: 'Did you hear?' }] } });
    await call.until((event) => textOf(event) === 'Heard.' && event.partial !== true);

    const heard = phone.model.connection.sent.flatMap((sent) => (sent.kind === 'audio' ? [sent.data] : []));
    expect(heard.map(({ length }) => Math.round(length / 1_000))).toEqual([32, 32, 16]);
    expect(phone.model.connection.sent.at(-1)).toMatchObject({ kind: 'text' });
  });

  it.each([
    '',
    '{',
    'null',
    '[]',
    '{}',
    '{"blob":{}}',
    '{"blob":{"mimeType":"video/mp4","data":""}}',
    '{"blob":{"mimeType":"audio/pcm;rate=fast","data":""}}',
    '{"content":{}}',
    '{"content":{"parts":[null]}}',
    '{"content":{"parts":[]}}',
    '{"content":{"parts":[{"functionCall":{"name":"refund"}}]}}',
    '{"content":{"parts":[{"functionResponse":{"id":"x"}}]}}',
  ])('closes the socket of a client that sends %j, and says why', async (frame) => {
    await using phone = await Phone.open(untilText(), speaks('Never.'));
    const call = phone.connect();
    await call.opened;
    call.send(frame);
    const { code, reason } = await call.closed;
    expect([code, reason.length > 20 && reason.length < 124]).toEqual([1007, true]);
    expect(phone.refunds).toEqual([]);
  });

  it('ends the conversation when the client leaves, and when the server closes', async () => {
    await using phone = await Phone.open(untilText(), speaks('Hello.'));
    const call = phone.connect();
    await call.opened;
    call.send({ content: { parts: [{ text: 'Hi' }] } });
    await call.until((event) => textOf(event) === 'Hello.' && event.partial !== true);
    call.socket.terminate();
    await call.closed;
    const second = phone.connect();
    await second.opened;
    await phone.server.close();
    expect((await second.closed).code).not.toBe(1011);
  });
});
