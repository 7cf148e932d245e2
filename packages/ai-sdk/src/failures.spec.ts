import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import {
  cutsStream,
  failsWith,
  resetsConnection,
  saysText,
  sendsMalformedJson,
  sendsNothing,
} from '@adorn/testing';

import { AiSdkModel } from './ai-sdk.model.js';
import {
  ANTHROPIC,
  ask,
  COMPATIBLE,
  NoWaiting,
  requestOf,
  TestedServers,
  type TestedWire,
  WIRES,
} from './wires.fixture.js';

const servers = new TestedServers();
afterEach(() => servers.closeAll());

/** The first event of a stream of chat completions. */
const HI = 'data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n';

const hello = { parts: [{ text: 'Hel' }] };
const halfAnswer = { candidates: [{ content: hello, index: 0 }] };

describe.each(WIRES)('a failure over $name', (wire: TestedWire) => {
  it.each([false, true])(
    'is another attempt after the wait that the provider asks for (stream: %s)',
    async (stream) => {
      const script = [failsWith(429, { retryAfter: 7 }), failsWith(503), resetsConnection(), saysText('Hi.')];
      const { model, timing } = await servers.start(wire, script);

      const responses = await ask(model, { stream });

      expect(responses.at(-1)).toMatchObject({ content: { parts: [{ text: 'Hi.' }] }, finishReason: 'STOP' });
      expect(timing.waits[0]).toBe(7_000);
      expect(timing.waits).toHaveLength(3);
    },
  );

  it('is thrown after the last attempt, with its status', async () => {
    const { model } = await servers.start(wire, [failsWith(503), failsWith(503)], { retry: { attempts: 2 } });

    await expect(ask(model)).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      status: 503,
      message: expect.stringMatching(
        /answered with HTTP 503 after 2 attempts: HTTP 503\. The error is on the side/,
      ) as unknown,
    });
  });

  it.each([false, true])(
    'of the key, the model or the request is not repeated (stream: %s)',
    async (stream) => {
      const { model } = await servers.start(wire, [
        failsWith(401),
        failsWith(404, { message: 'No such model' }),
        failsWith(400),
      ]);

      await expect(ask(model, { stream })).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE', status: 401 });
      await expect(ask(model, { stream })).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
      await expect(ask(model, { stream })).rejects.toMatchObject({ code: 'MODEL_FAILED', status: 400 });
    },
  );

  it('never repeats a key that the provider repeats', async () => {
    const message = 'Incorrect API key provided: sk-proj-abcdefgh123456. Header: Bearer test-key-0123456789';
    const { model } = await servers.start(wire, [failsWith(401, { message })]);

    const error = await ask(model).catch((thrown: unknown) => thrown);

    expect(String(error)).toContain('Incorrect API key provided: [key]');
    expect(JSON.stringify([error, Object.entries(error as object), (error as Error).stack])).not.toMatch(
      /sk-proj|0123456789/,
    );
  });

  it('is a malformed response where the answer is not JSON', async () => {
    const { model } = await servers.start(wire, [
      sendsMalformedJson('{"id": '),
      sendsMalformedJson('<html>'),
    ]);

    expect((await ask(model)).at(-1)).toMatchObject({ errorCode: 'MALFORMED_RESPONSE' });
    expect((await ask(model, { stream: true })).at(-1)).toMatchObject({ errorCode: 'MALFORMED_RESPONSE' });
  });

  it('in the middle of a stream ends the answer, with none of its pieces', async () => {
    const { model } = await servers.start(wire, [cutsStream(halfAnswer)]);

    const responses = await ask(model, { stream: true });

    expect(responses).toMatchObject([{ partial: true, content: hello }, { errorCode: 'STREAM_INTERRUPTED' }]);
    expect(responses[1]?.content).toBeUndefined();
  });

  it('is a silence that lasts too long', async () => {
    const silent = new HangingServer();
    const model = new AiSdkModel(wire.model(await silent.listen()), { timeout: 30, retry: { attempts: 1 } });

    await expect(ask(model, { stream: true })).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringContaining('it stayed silent for too long') as unknown,
    });
    await silent.close();
  });

  it.each([false, true])('ends with the signal, and leaves no connection (stream: %s)', async (stream) => {
    const gone = new HangingServer();
    const url = await gone.listen();
    const model = new AiSdkModel(wire.model(url), {}, new NoWaiting());
    const aborter = new AbortController();
    const answer = ask(model, { stream, signal: aborter.signal });

    await gone.asked;
    aborter.abort(new Error('cancelled'));

    await expect(answer).rejects.toThrow('cancelled');
    await gone.hungUp;
    await gone.close();
  });
});

describe('a failure', () => {
  it('to connect says where, and is not repeated', async () => {
    const closed = new HangingServer();
    const url = await closed.listen();
    await closed.close();
    const timing = new NoWaiting();
    const model = new AiSdkModel(COMPATIBLE.model(url), {}, timing);

    await expect(ask(model)).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringMatching(
        /^No response from 127\.0\.0\.1:\d+ for model "small": ECONNREFUSED\./,
      ) as unknown,
    });
    expect(timing.waits).toEqual([]);
  });

  it('to connect is one also where the address cannot be asked', async () => {
    const model = new AiSdkModel(COMPATIBLE.model('http://127.0.0.1:1'), {}, new NoWaiting());

    await expect(ask(model)).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringContaining('Cannot connect to API: bad port') as unknown,
    });
  });

  it('of an exhausted quota is not repeated', async () => {
    const { model, timing } = await servers.start(COMPATIBLE, [
      { kind: 'bytes', status: 429, headers: {}, body: Buffer.from('') },
      saysText('Hi.'),
    ]);
    await ask(model);
    expect(timing.waits).toHaveLength(1);
    const quota = quotaModel();

    await expect(ask(new AiSdkModel(quota, {}, timing))).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      status: 429,
    });
    expect(timing.waits).toHaveLength(1);
  });

  it('that empties the body of an answer is malformed', async () => {
    const { model } = await servers.start(ANTHROPIC, [sendsNothing()]);

    expect(await ask(model)).toMatchObject([{ errorCode: 'MALFORMED_RESPONSE' }]);
  });

  it('in which a stream falls silent ends the answer, and the connection', async () => {
    const server = new HangingServer(HI);
    const model = new AiSdkModel(COMPATIBLE.model(await server.listen()), { timeout: 30 }, new NoWaiting());

    const responses = await ask(model, { stream: true });

    expect(responses).toMatchObject([{ partial: true }, { errorCode: 'STREAM_INTERRUPTED' }]);
    await server.hungUp;
    await server.close();
  });

  it('lets go of the connection where nobody reads the stream to its end', async () => {
    const server = new HangingServer(HI);
    const model = new AiSdkModel(COMPATIBLE.model(await server.listen()), {}, new NoWaiting());
    const responses = model.generate(requestOf({ stream: true }));

    expect(await responses.next()).toMatchObject({ value: { content: { parts: [{ text: 'Hi' }] } } });
    await responses.return();

    await server.hungUp;
    await server.close();
  });

  it.each([null, 'text', {}, { stream: 1 }, { content: 'x' }])(
    'is a result of the wrong kind: %j',
    async (result) => {
      const model = new AiSdkModel(
        fakeModel(() => Promise.resolve(result)),
        {},
        new NoWaiting(),
      );

      expect(await ask(model)).toMatchObject([{ errorCode: 'MALFORMED_RESPONSE' }]);
      expect(await ask(model, { stream: true })).toMatchObject([{ errorCode: 'MALFORMED_RESPONSE' }]);
    },
  );

  it.each([null, undefined, 'text', 7, { message: 9 }, new Error(''), Object.create(null) as object])(
    'may be thrown as anything: %p',
    async (thrown) => {
      const model = new AiSdkModel(
        fakeModel(() => rejected(thrown)),
        { retry: { attempts: 1 } },
      );

      await expect(ask(model)).rejects.toMatchObject({ code: 'MODEL_FAILED' });
      await expect(ask(model, { stream: true })).rejects.toMatchObject({ code: 'MODEL_FAILED' });
    },
  );

  it('of stream parts of the wrong kind is passed over', async () => {
    const parts = [
      null,
      7,
      {},
      { type: 5 },
      { type: 'text-delta' },
      { type: 'tool-call' },
      { type: 'unheard-of' },
    ];
    const end = {
      type: 'finish',
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: { inputTokens: 'x' },
    };
    const stream = new ReadableStream({
      start(controller) {
        for (const part of [...parts, end]) controller.enqueue(part);
        controller.close();
      },
    });
    const model = new AiSdkModel(fakeModel(() => Promise.resolve({ stream })));

    const whole = (await ask(model, { stream: true })).at(-1);

    expect(whole).toEqual({
      content: { role: 'model', parts: [{ functionCall: { name: '', args: {} } }] },
      finishReason: 'STOP',
    });
  });
});

/** Rejects with anything, as a provider may. */
async function rejected(thrown: unknown): Promise<never> {
  await Promise.resolve();
  throw thrown;
}

function fakeModel(answer: () => Promise<unknown>): never {
  return {
    specificationVersion: 'v3',
    provider: 'fake',
    modelId: 'fake',
    supportedUrls: {},
    doGenerate: answer,
    doStream: answer,
  } as never;
}

function quotaModel(): never {
  const error = Object.assign(new Error('You exceeded your current quota.'), {
    name: 'AI_APICallError',
    statusCode: 429,
    data: { error: { code: 'insufficient_quota' } },
  });
  return fakeModel(() => Promise.reject(error));
}

/** A server that never ends an answer, and knows when the client hangs up. */
class HangingServer {
  readonly asked: Promise<void>;
  readonly hungUp: Promise<void>;
  private readonly server: Server;

  constructor(start = '') {
    let onAsked: () => void;
    let onHungUp: () => void;
    this.asked = new Promise((resolve) => (onAsked = resolve));
    this.hungUp = new Promise((resolve) => (onHungUp = resolve));
    this.server = createServer((incoming, response: ServerResponse) => {
      incoming.resume();
      incoming.once('end', () => {
        if (start !== '') response.writeHead(200, { 'content-type': 'text/event-stream' }).write(start);
        onAsked();
      });
      response.once('close', () => {
        onHungUp();
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }
}
