import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { ModelResponse } from '@adorn/core';
import type { Timing } from '@adorn/core/backend';
import {
  failsWith,
  type GeminiEmulator,
  type GeminiScript,
  neverAnswers,
  resetsConnection,
  saysText,
  startGeminiEmulator,
} from '@adorn/testing';

import { GeminiModel } from '../gemini.model.js';
import type { GeminiOptions } from '../gemini-options.js';

describe('retries', () => {
  const running: GeminiEmulator[] = [];

  afterEach(async () => {
    await Promise.allSettled(running.splice(0).map((emulator) => emulator.close()));
  });

  async function start(script: GeminiScript): Promise<GeminiEmulator> {
    const emulator = await startGeminiEmulator(script);
    running.push(emulator);
    return emulator;
  }

  it.each([429, 500, 502, 503, 504])('ask again after status %i', async (status) => {
    const emulator = await start([failsWith(status), saysText('Noon.')]);
    const timing = new FakeTiming();

    expect(await ask(emulator, timing)).toMatchObject([{ content: { parts: [{ text: 'Noon.' }] } }]);
    expect(timing.slept).toEqual([1_000]);
  });

  it('ask again after a lost connection', async () => {
    const emulator = await start([resetsConnection(), saysText('Noon.')]);

    expect(await ask(emulator, new FakeTiming())).toHaveLength(1);
  });

  it('wait twice as long each time, up to a bound, and give up after the last attempt', async () => {
    const emulator = await start(Array.from({ length: 4 }, () => failsWith(503, { message: 'Overloaded' })));
    const timing = new FakeTiming();
    const retry = { attempts: 4, initialDelay: 100, maxDelay: 300 };

    await expect(ask(emulator, timing, { retry })).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      status: 503,
      message:
        'Model "gemini-2.5-flash" answered with HTTP 503 after 4 attempts: Overloaded. The error is on ' +
        'the side of Google: try again later, or use another model.',
    });
    expect(timing.slept).toEqual([100, 200, 300]);
    expect(emulator.requests).toHaveLength(4);
  });

  it('wait for anything up to that, so that many askers do not come back together', async () => {
    const emulator = await start([failsWith(503), saysText('Noon.')]);
    const timing = new FakeTiming(0.25);

    await ask(emulator, timing);

    expect(timing.slept).toEqual([250]);
  });

  it.each([
    ['seconds', { retryAfter: 7 }, 7_000],
    ['a date', { retryAfter: 'Thu, 01 Jan 1970 00:00:09 GMT' }, 9_000],
    [
      "Google's RetryInfo",
      { details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' }] },
      34_500,
    ],
  ])('wait as long as they are asked to, in %s', async (_form, failure, delay) => {
    const emulator = await start([failsWith(429, failure), saysText('Noon.')]);
    const timing = new FakeTiming();

    await ask(emulator, timing);

    expect(timing.slept).toEqual([delay]);
  });

  it('do not wait past the bound of the whole', async () => {
    const emulator = await start([failsWith(429, { retryAfter: 3_600 })]);
    const timing = new FakeTiming();

    await expect(ask(emulator, timing)).rejects.toMatchObject({ code: 'MODEL_FAILED', status: 429 });
    expect(timing.slept).toEqual([]);
  });

  it.each([400, 401, 403, 404])('do not ask again after status %i', async (status) => {
    const emulator = await start([failsWith(status)]);

    await expect(ask(emulator, new FakeTiming())).rejects.toThrow();
    expect(emulator.requests).toHaveLength(1);
  });

  it('end at once when the invocation is cancelled', async () => {
    const cancel = new AbortController();
    const reason = new Error('enough');
    const emulator = await start([failsWith(503)]);
    const waiting = new GeminiModel({
      baseUrl: emulator.url,
      apiKey: 'test-key',
      retry: { initialDelay: 100_000 },
    });
    const timed = waiting
      .generate({ contents: CONTENTS, config: {}, stream: false, signal: cancel.signal })
      .next();

    while (emulator.requests.length < 1) await new Promise(setImmediate);
    cancel.abort(reason);

    await expect(timed).rejects.toBe(reason);
  });

  it('give up on a server that stays silent', async () => {
    const emulator = await start([neverAnswers()]);

    await expect(
      ask(emulator, new FakeTiming(), { timeout: 20, retry: { attempts: 1 } }),
    ).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringContaining('it stayed silent for too long') as string,
    });
  });

  it('say which host is not there, and do not go on asking it', async () => {
    const port = await freePort();
    const model = new GeminiModel(
      { baseUrl: `http://127.0.0.1:${String(port)}`, apiKey: 'test-key' },
      new FakeTiming(),
    );

    await expect(answerOf(model)).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message:
        `No response from 127.0.0.1:${String(port)}: ECONNREFUSED. Check the network, the proxy, and ` +
        'baseUrl (or GOOGLE_GEMINI_BASE_URL) if you meant another host.',
    });
  });

  it('say why a request cannot be sent, such as to a port that fetch refuses', async () => {
    const model = new GeminiModel({ baseUrl: 'http://127.0.0.1:1', apiKey: 'test-key' }, new FakeTiming());

    await expect(answerOf(model)).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringContaining('No response from 127.0.0.1:1: bad port.') as string,
    });
  });
});

const CONTENTS = [{ role: 'user', parts: [{ text: 'Hello?' }] }];

/** Time that passes only by sleeping. */
class FakeTiming implements Timing {
  readonly slept: number[] = [];
  private time = 0;

  constructor(private readonly chance = 1) {}

  now(): number {
    return this.time;
  }

  random(): number {
    return this.chance;
  }

  sleep(ms: number): Promise<void> {
    this.slept.push(ms);
    this.time += ms;
    return Promise.resolve();
  }
}

function ask(
  emulator: GeminiEmulator,
  timing: Timing,
  options: GeminiOptions = {},
): Promise<ModelResponse[]> {
  return answerOf(new GeminiModel({ baseUrl: emulator.url, apiKey: 'test-key', ...options }, timing));
}

async function answerOf(model: GeminiModel): Promise<ModelResponse[]> {
  const responses: ModelResponse[] = [];
  const signal = new AbortController().signal;
  for await (const response of model.generate({ contents: CONTENTS, config: {}, stream: false, signal })) {
    responses.push(response);
  }
  return responses;
}

/** A port where nobody listens: one that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
