import { callsFunctions, type ModelEmulator, saysText, streamsJson } from '@adorn/testing';
import { describeModel } from '@adorn/testing/contracts';

import { AiSdkModel } from './ai-sdk.model.js';
import { ANTHROPIC, ask, COMPATIBLE, TestedServers, type TestedWire, WIRES } from './wires.fixture.js';

const servers = new TestedServers();
afterEach(() => servers.closeAll());

describe.each(WIRES)('a model over $name', (wire: TestedWire) => {
  it('answers a text, with reason, usage and version', async () => {
    const { model } = await servers.start(wire, [saysText('Good morning.')]);

    const [response, ...others] = await ask(model);

    expect(others).toEqual([]);
    expect(response).toMatchObject({
      content: { role: 'model', parts: [{ text: 'Good morning.' }] },
      finishReason: 'STOP',
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
      modelVersion: 'gemini-emulator',
    });
    expect(response?.errorCode).toBeUndefined();
  });

  it('streams pieces, and then the whole', async () => {
    const { model } = await servers.start(wire, [saysText('Good ', 'morning', '.')]);

    const responses = await ask(model, { stream: true });

    const texts = responses.map(({ content }) => content?.parts?.[0]?.text);
    expect(texts).toEqual(['Good ', 'morning', '.', 'Good morning.']);
    expect(responses.map(({ partial }) => partial ?? false)).toEqual([true, true, true, false]);
    expect(responses.at(-1)).toMatchObject({
      finishReason: 'STOP',
      usageMetadata: { candidatesTokenCount: 3 },
    });
  });

  it.each([false, true])('passes on parallel calls with their ids (stream: %s)', async (stream) => {
    const calls = [
      { name: 'get_weather', args: { city: 'Oslo' }, id: 'call_a' },
      { name: 'get_weather', args: { city: 'Rome' }, id: 'call_b' },
    ];
    const { model } = await servers.start(wire, [callsFunctions(...calls)]);

    const responses = await ask(model, { stream });

    const whole = responses.at(-1);
    expect(whole).toMatchObject({ finishReason: 'STOP' });
    expect(whole?.content?.parts?.map(({ functionCall }) => functionCall)).toEqual(calls);
  });

  it('keeps arguments that are not JSON as a text', async () => {
    const { model } = await servers.start(wire, [callsFunctions({ name: 'save', args: '{"a": ' as never })]);

    const whole = (await ask(model, { stream: true })).at(-1);

    expect(whole?.content?.parts?.[0]?.functionCall?.args).toEqual('{"a": ');
  });

  it('counts cached tokens and thoughts', async () => {
    const usageMetadata = {
      promptTokenCount: 50,
      cachedContentTokenCount: 40,
      candidatesTokenCount: 5,
      thoughtsTokenCount: 3,
    };
    const { model } = await servers.start(wire, [streamsJson({ ...answer('Hi.', 'STOP'), usageMetadata })]);

    const [{ usageMetadata: read } = {}] = await ask(model);

    expect(read).toMatchObject({ promptTokenCount: 50, cachedContentTokenCount: 40, totalTokenCount: 58 });
    const { candidatesTokenCount = 0, thoughtsTokenCount = 0 } = read ?? {};
    expect(candidatesTokenCount + thoughtsTokenCount).toBe(8);
  });

  it.each([
    ['MAX_TOKENS', undefined],
    ['SAFETY', 'SAFETY'],
  ])('says that it stopped for %s', async (reason, errorCode) => {
    const { model } = await servers.start(wire, [
      streamsJson(answer('Well', reason)),
      streamsJson(answer('Well', reason)),
    ]);

    const [whole] = await ask(model);
    const streamed = (await ask(model, { stream: true })).at(-1);

    expect(whole).toMatchObject({ finishReason: reason });
    expect(streamed).toMatchObject({ finishReason: reason });
    expect([whole?.errorCode, streamed?.errorCode]).toEqual([errorCode, errorCode]);
  });

  it('says that a stream without a finish reason is cut, and keeps what came', async () => {
    const { model } = await servers.start(wire, [streamsJson(answer('Half an ans'))]);

    const responses = await ask(model, { stream: true });

    expect(responses.at(-1)).toMatchObject({
      content: { parts: [{ text: 'Half an ans' }] },
      errorCode: 'STREAM_INTERRUPTED',
    });
    expect(responses.at(-1)?.finishReason).toBeUndefined();
  });
});

const opened: ModelEmulator[] = [];
afterAll(() => Promise.all(opened.map((server) => server.close())));

describe.each([COMPATIBLE, ANTHROPIC])('over $name', (wire) => {
  describeModel('AiSdkModel', async () => {
    const server = await wire.start(() => saysText('Hello ', 'there', '.'));
    opened.push(server);
    return new AiSdkModel(wire.model(server.url));
  });
});

function answer(text: string, finishReason?: string): Record<string, unknown> {
  const candidate = {
    content: { role: 'model', parts: [{ text }] },
    ...(finishReason && { finishReason }),
    index: 0,
  };
  return { candidates: [candidate], modelVersion: 'gemini-emulator' };
}
