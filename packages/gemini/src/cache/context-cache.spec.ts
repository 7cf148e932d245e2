import { createRunner, defineAgent, FunctionTool, type ModelRequest, Plugin, type Runner } from '@adorn/core';
import { costOfUsage, priceOf, type Timing } from '@adorn/core/backend';
import {
  answersJson,
  callsFunctions,
  failsWith,
  type GeminiEmulator,
  type GeminiEmulatorOptions,
  type GeminiRequest,
  type GeminiScript,
  neverAnswers,
  resetsConnection,
  saysText,
  sendsMalformedJson,
  startGeminiEmulator,
} from '@adorn/testing';

import { GeminiModel } from '../gemini.model.js';
import type { GeminiOptions } from '../gemini-options.js';

const ADA = { userId: 'ada', sessionId: 's1' };
/** About 4,600 tokens. */
const MANUAL = 'Press the red button to stop the machine, and the green one to start it again. '.repeat(230);

describe('the context cache of Gemini', () => {
  const open: AsyncDisposable[] = [];
  let now = 0;
  const timing: Timing = { now: () => now, random: () => 0, sleep: () => Promise.resolve() };

  beforeEach(() => {
    now = Date.UTC(2026, 0, 1);
  });

  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one[Symbol.asyncDispose]();
  });

  async function start(
    script: GeminiScript = () => saysText('Yes.'),
    options: GeminiEmulatorOptions = {},
  ): Promise<GeminiEmulator> {
    const caches = { now: () => now, ...options.caches };
    const emulator = await startGeminiEmulator(script, { ...options, caches });
    open.push(emulator);
    return emulator;
  }

  /** The runner of a process of its own: another model, and so other memories of caches. */
  async function runnerOf(
    { url: baseUrl }: GeminiEmulator,
    options: GeminiOptions = {},
    agent: object = {},
    plugins: readonly Plugin[] = [],
  ): Promise<Runner> {
    const model = new GeminiModel({ apiKey: 'k', baseUrl, contextCache: true, ...options }, timing);
    const desk = defineAgent({
      name: 'desk',
      description: 'A desk.',
      instruction: MANUAL,
      tools: [look],
      ...agent,
    });
    const runner = await createRunner(desk, { model, plugins, config: { streaming: 'none' } });
    open.push(runner);
    return runner;
  }

  it('is off by default', async () => {
    const emulator = await start();
    const runner = await runnerOf(emulator, { contextCache: false });

    for (const message of ['One', 'Two', 'Three']) await runner.ask(message, ADA);

    expect(emulator.caches.requests).toEqual([]);
  });

  it('holds the beginning that comes twice, which is not sent again', async () => {
    const emulator = await start();
    const runner = await runnerOf(emulator);

    await runner.ask('One', ADA);
    expect(emulator.caches.requests).toEqual([]);
    await runner.ask('Two', { userId: 'bob', sessionId: 's1' });
    await runner.ask('Three', { userId: 'eve', sessionId: 's1' });

    expect(methodsOf(emulator)).toEqual(['GET', 'POST']);
    expect(emulator.caches.requests[1]?.body).toMatchObject({
      model: 'models/gemini-2.5-flash',
      ttl: '1800s',
      systemInstruction: { parts: [{ text: expect.stringContaining('red button') as string }] },
      tools: [{ functionDeclarations: [{ name: 'look' }] }],
    });
    const [first, ...others] = emulator.requests.map(({ body }) => body);
    expect(first).toHaveProperty('tools');
    for (const [index, body] of others.entries()) {
      expect(Object.keys(body).sort()).toEqual(
        ['cachedContent', 'contents', 'generationConfig'].filter((key) => key in body),
      );
      expect(body).toMatchObject({ cachedContent: emulator.caches.names[0] });
      expect(body['contents']).toEqual([{ role: 'user', parts: [{ text: ['Two', 'Three'][index] }] }]);
    }
  });

  it('is told in the events that named it, with the tokens it had', async () => {
    const emulator = await start();
    const runner = await runnerOf(emulator);
    await runner.ask('One', ADA);
    await runner.ask('Two', ADA);
    await runner.ask('Three', ADA);

    const events = (await runner.sessions.getSession({ appName: runner.appName, ...ADA }))?.events ?? [];
    const answers = events.filter(({ author }) => author === 'desk');

    expect(answers.map(({ cacheMetadata }) => cacheMetadata?.invocationsUsed)).toEqual([undefined, 1, 2]);
    expect(answers[1]?.cacheMetadata).toMatchObject({
      cacheName: emulator.caches.names[0],
      contentsCount: 0,
      createdAt: now / 1000,
      expireTime: now / 1000 + 1800,
    });
    const tokens = answers[1]?.usageMetadata?.cachedContentTokenCount ?? 0;
    expect(tokens).toBeGreaterThan(4_000);
    const price = priceOf('gemini-2.5-flash');
    if (!price) throw new Error('no price');
    const [, first, second] = answers.map(({ usageMetadata = {}, cacheMetadata }) =>
      costOfUsage(usageMetadata, price, cacheMetadata),
    );
    // Half an hour of its tokens, and its tokens once as input.
    expect((first ?? 0) - (second ?? 0)).toBeCloseTo((tokens * (0.3 + 0.5)) / 1_000_000, 8);
  });

  it('grows with a conversation every ten requests, and the shorter one is deleted', async () => {
    let step = 0;
    const emulator = await start(() => {
      step += 1;
      return step % 2 === 1 ? callsFunctions({ name: 'look', args: { q: 'x' } }) : saysText('Here it is.');
    });
    const runner = await runnerOf(emulator, { contextCache: { minTokens: 2_000 } });

    for (let turn = 0; turn < 40; turn += 1) await runner.ask(`Question ${String(turn)}`, ADA);

    const created = emulator.caches.requests.filter(({ method }) => method === 'POST');
    const lengths = created.map(({ body }) => ((body['contents'] ?? []) as unknown[]).length);
    expect(lengths[0]).toBe(0);
    expect(lengths.length).toBeGreaterThan(3);
    expect(lengths).toEqual([...lengths].sort((one, other) => one - other));
    expect(emulator.caches.names).toHaveLength(2);
    expectWholeConversations(emulator);
  });

  it('is not created for less than minTokens, nor for what comes again after its time', async () => {
    const emulator = await start();
    const small = await runnerOf(emulator, { contextCache: { minTokens: 10_000 } });
    const rare = await runnerOf(emulator, { contextCache: { ttlSeconds: 60 } });

    for (const message of ['One', 'Two', 'Three']) {
      await small.ask(message, ADA);
      await rare.ask(message, { userId: message, sessionId: 's1' });
      now += 61_000;
    }

    expect(emulator.caches.requests).toEqual([]);
  });

  it('is created again when its time is over', async () => {
    const emulator = await start();
    const runner = await runnerOf(emulator, { contextCache: { ttlSeconds: 600 } });
    for (const message of ['One', 'Two', 'Three']) await runner.ask(message, ADA);
    now += 595_000;
    await runner.ask('Four', ADA);
    await runner.ask('Five', ADA);

    expect(methodsOf(emulator)).toEqual(['GET', 'POST', 'GET', 'POST']);
    expect(emulator.requests.map(({ body }) => body['cachedContent'])).toEqual([
      undefined,
      expect.any(String),
      expect.any(String),
      expect.any(String),
      expect.any(String),
    ]);
  });

  it.each(['none', 'sse'] as const)(
    'may be gone: requests are sent whole for five minutes (%s)',
    async (streaming) => {
      const emulator = await start();
      const runner = await runnerOf(emulator);
      await runner.ask('One', ADA);
      await runner.ask('Two', ADA);
      emulator.caches.clear();

      const result = await runner.run({ ...ADA, message: 'Three', config: { streaming } });
      await runner.ask('Four', ADA);
      now += 300_000;
      await runner.ask('Five', ADA);

      expect(result).toMatchObject({ status: 'answered', text: 'Yes.' });
      expect(emulator.requests.slice(2).map(({ body }) => 'cachedContent' in body)).toEqual([
        true,
        false,
        false,
        true,
      ]);
      expect(emulator.requests[3]?.body).toHaveProperty('tools');
    },
  );

  it.each([
    ['is too small for Google', { caches: { minTokens: 100_000 } }, undefined],
    ['cannot be listed', {}, failsWith(403)],
    ['fails', {}, failsWith(503)],
  ])(
    '%s: the requests are sent whole, and the next attempt is in five minutes',
    async (_what, options, failure) => {
      const emulator = await start(undefined, options);
      if (failure) emulator.caches.refuseNext(failure);
      const once = failure ? ['GET'] : ['GET', 'POST'];
      const runner = await runnerOf(emulator, { retry: { attempts: 3 } });

      for (const message of ['One', 'Two', 'Three'])
        await runner.ask(message, { userId: message, sessionId: 's' });

      expect(methodsOf(emulator)).toEqual(once);
      expect(emulator.requests.filter(({ body }) => 'cachedContent' in body)).toEqual([]);
      now += 300_000;
      await runner.ask('Four', ADA);
      expect(methodsOf(emulator)).toEqual([...once, 'GET', 'POST']);
    },
  );

  it('of one process serves the others', async () => {
    const emulator = await start();
    const first = await runnerOf(emulator);
    const second = await runnerOf(emulator);

    for (const runner of [first, second])
      for (const user of ['ada', 'bob', 'eve']) await runner.ask('Hello', { userId: user, sessionId: 's1' });

    expect(methodsOf(emulator)).toEqual(['GET', 'POST', 'GET']);
    expect(new Set(emulator.requests.map(({ body }) => body['cachedContent'])).size).toBe(2);
  });

  it.each([
    ['is not JSON', sendsMalformedJson()],
    ['is empty', answersJson({})],
    ['has another form', answersJson({ cachedContents: 'x', name: 7, expireTime: {} })],
    ['never comes whole', resetsConnection()],
  ])('whose answer %s does not fail the request', async (_what, step) => {
    const emulator = await start();
    const runner = await runnerOf(emulator);
    await runner.ask('Hello', ADA);
    emulator.caches.refuseNext(step);
    emulator.caches.refuseNext(step);

    expect(await runner.ask('Hello', ADA)).toBe('Yes.');
    expect(emulator.requests.filter(({ body }) => 'cachedContent' in body)).toEqual([]);
  });

  it('lets a run be cancelled while it is created, and is created by the next', async () => {
    const emulator = await start();
    const runner = await runnerOf(emulator);
    await runner.ask('Hello', ADA);
    emulator.caches.refuseNext(neverAnswers());

    const run = runner.run({ ...ADA, message: 'Hello' });
    const ended = run.then((result) => result);
    while (emulator.caches.requests.length === 0) await new Promise(setImmediate);
    run.cancel();

    expect((await ended).events.at(-1)?.errorCode).toBe('CANCELLED');
    expect(await runner.ask('Hello', { userId: 'bob', sessionId: 's1' })).toBe('Yes.');
    expect(emulator.caches.names).toHaveLength(1);
  });

  it('is created once for requests at the same time', async () => {
    const emulator = await start();
    const runner = await runnerOf(emulator);
    await runner.ask('Hello', ADA);

    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        runner.ask('Hello', { userId: `u${String(index)}`, sessionId: 's1' }),
      ),
    );

    expect(methodsOf(emulator)).toEqual(['GET', 'POST']);
    expect(emulator.requests.filter(({ body }) => 'cachedContent' in body)).toHaveLength(8);
  });

  it('holds nothing that is added for one run or request only', async () => {
    const emulator = await start();
    let asked = 0;
    class Clock extends Plugin {
      override readonly name = 'clock';
      override beforeModel(request: ModelRequest): undefined {
        asked += 1;
        const added = { role: 'user', parts: [{ text: `It is ${String(asked)} o'clock.` }] };
        request.contents = [added, ...request.contents];
      }
    }
    const contextCache = { cacheIntervals: 1 };
    const runner = await runnerOf(emulator, { contextCache }, {}, [new Clock()]);

    for (const message of ['One', 'Two', 'Three']) await runner.ask(message, ADA);

    for (const { body } of emulator.caches.requests) expect(JSON.stringify(body)).not.toContain("o'clock");
    expect(emulator.caches.names).toHaveLength(1);
  });

  it('is not named for a system instruction that changes with each request', async () => {
    const emulator = await start();
    let asked = 0;
    const instruction = (): string => `${MANUAL} ${String((asked += 1))}`;
    const runner = await runnerOf(emulator, {}, { instruction });

    for (const message of ['One', 'Two', 'Three']) await runner.ask(message, ADA);

    expect(emulator.caches.requests).toEqual([]);
  });

  it('is that of the application, if it states one', async () => {
    const emulator = await start();
    const runner = await runnerOf(
      emulator,
      {},
      { instruction: '', tools: [], generateContentConfig: { cachedContent: 'cachedContents/own' } },
    );

    await runner.run({ ...ADA, message: 'One' });

    expect(emulator.caches.requests).toEqual([]);
    expect(emulator.requests[0]?.body).toMatchObject({ cachedContent: 'cachedContents/own' });
  });

  it('is on Vertex AI one of the project', async () => {
    const emulator = await start();
    const vertex = { vertexai: true, project: 'p', location: 'l', apiKey: 'k' };
    const runner = await runnerOf(emulator, vertex);

    for (const user of ['ada', 'bob']) await runner.ask('Hello', { userId: user, sessionId: 's1' });

    expect(emulator.caches.requests.map(({ path }) => path)).toEqual([
      '/v1beta1/projects/p/locations/l/cachedContents',
      '/v1beta1/projects/p/locations/l/cachedContents',
    ]);
    expect(emulator.requests[1]?.body).toMatchObject({
      cachedContent: 'projects/p/locations/l/cachedContents/c1',
    });
  });
});

const look = new FunctionTool({
  name: 'look',
  description: 'Looks for something in the manual.',
  parameters: { type: 'object', properties: { q: { type: 'string' } } },
  effect: 'read',
  run: () => ({ found: 'row of the table '.repeat(40) }),
});

function methodsOf({ caches }: GeminiEmulator): string[] {
  return caches.requests.map(({ method }) => method);
}

/** A cache and the contents behind it are the whole conversation, none of it twice. */
function expectWholeConversations({ requests, caches }: GeminiEmulator): void {
  const created = caches.requests.filter(({ method }) => method === 'POST');
  const cached = new Map(created.map(({ body }, index) => [`cachedContents/c${String(index + 1)}`, body]));
  const whole = requests.map(({ body }) => [
    ...contentsOf(cached.get(String(body['cachedContent'])) ?? {}),
    ...contentsOf(body),
  ]);
  for (const [index, contents] of whole.entries()) {
    const before = whole[index - 1] ?? [];
    expect(contents.slice(0, before.length)).toEqual(before);
  }
}

function contentsOf(body: GeminiRequest['body']): unknown[] {
  return (body['contents'] ?? []) as unknown[];
}
