import type { LiveConnection, LiveEvent, LiveSetup } from '@adorn/core/backend';
import { type LiveEmulator, type LiveScript, liveWire, startGeminiLiveEmulator } from '@adorn/testing';

import type { GeminiOptions } from '../gemini-options.js';
import { GeminiModel } from '../gemini.model.js';
import { GeminiLiveModel } from './gemini-live.model.js';

const KEY = 'a-very-secret-key';

const SETUP: LiveSetup = {
  instruction: '',
  tools: [],
  backgroundTools: [],
  history: [],
  modality: 'audio',
  transcribe: { input: false, output: false },
  activity: 'automatic',
  config: {},
};

const {
  calls,
  cancelsCalls,
  closes,
  cuts,
  detectsVoice,
  drops,
  endsTurn,
  fails,
  goesAway,
  hearsAudio,
  hearsKind,
  hearsResults,
  hearsSetup,
  hearsText,
  ignores,
  isInterrupted,
  offersHandle,
  refuses,
  sends,
  speaks,
  thinks,
  transcribes,
  writes,
} = liveWire;

describe('GeminiLiveModel', () => {
  const running: LiveEmulator[] = [];
  const open: LiveConnection[] = [];

  afterEach(async () => {
    for (const connection of open.splice(0)) connection.close();
    await Promise.allSettled(running.splice(0).map((emulator) => emulator.close()));
  });

  async function start(script: LiveScript): Promise<LiveEmulator> {
    const emulator = await startGeminiLiveEmulator(script);
    running.push(emulator);
    return emulator;
  }

  async function connect(
    { url }: Pick<LiveEmulator, 'url'>,
    setup: Partial<LiveSetup> = {},
    options: GeminiOptions = {},
    { timeout = 5_000, signal = new AbortController().signal } = {},
  ): Promise<LiveConnection> {
    const model = new GeminiLiveModel({ baseUrl: url, apiKey: KEY, ...options });
    const connection = await model.connect({ ...SETUP, ...setup }, { signal, timeout });
    open.push(connection);
    return connection;
  }

  it('sends the setup in the words of the Live API', async () => {
    const emulator = await start([[]]);

    await connect(
      emulator,
      {
        instruction: 'Be brief.',
        tools: [
          {
            functionDeclarations: [
              {
                name: 'look',
                description: 'Look.',
                parametersJsonSchema: { type: 'object', properties: {} },
              },
              { name: 'dig', description: 'Dig.' },
            ],
          },
          { googleSearch: {} },
        ],
        backgroundTools: ['dig'],
        voice: 'Kore',
        language: 'de-DE',
        transcribe: { input: true, output: true },
        activity: 'manual',
        resume: 'handle-1',
        config: { temperature: 0.5 },
      },
      { live: { contextCompression: { triggerTokens: 1000, targetTokens: 500 }, interruptible: false } },
    );

    expect(emulator.connections[0]?.heard).toHaveLength(1);
    expect(emulator.connections[0]?.heard[0]?.json).toEqual({
      setup: {
        model: 'models/gemini-live-2.5-flash-preview',
        generationConfig: {
          temperature: 0.5,
          responseModalities: ['AUDIO'],
          speechConfig: {
            voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } },
            languageCode: 'de-DE',
          },
        },
        systemInstruction: { role: 'user', parts: [{ text: 'Be brief.' }] },
        tools: [
          {
            functionDeclarations: [
              {
                name: 'look',
                description: 'Look.',
                parametersJsonSchema: expect.objectContaining({ type: 'object' }) as object,
              },
              { name: 'dig', description: 'Dig.', behavior: 'NON_BLOCKING' },
            ],
          },
          { googleSearch: {} },
        ],
        sessionResumption: { handle: 'handle-1' },
        inputAudioTranscription: {},
        outputAudioTranscription: {},
        realtimeInputConfig: {
          automaticActivityDetection: { disabled: true },
          activityHandling: 'NO_INTERRUPTION',
        },
        contextWindowCompression: { triggerTokens: '1000', slidingWindow: { targetTokens: '500' } },
      },
    });
  });

  it('asks for handles and a sliding window unless told otherwise', async () => {
    const emulator = await start([[], []]);

    await connect(emulator);
    await connect(emulator, {}, { live: { contextCompression: false, activityDetection: { silence: 300 } } });

    expect(emulator.connections.map(({ heard }) => heard[0]?.json['setup'])).toMatchObject([
      { sessionResumption: {}, contextWindowCompression: { slidingWindow: {} } },
      { realtimeInputConfig: { automaticActivityDetection: { silenceDurationMs: 300 } } },
    ]);
    expect(emulator.connections[1]?.heard[0]?.json['setup']).not.toHaveProperty('contextWindowCompression');
  });

  it('reports everything that a server says, in its order', async () => {
    const emulator = await start([
      [
        detectsVoice('start'),
        transcribes('Hel', 'lo?'),
        detectsVoice('end'),
        thinks('Hm.'),
        speaks([Buffer.from([1, 2]), Buffer.from([3, 4])], 'Good', ' day.'),
        writes('As text.'),
        calls({ name: 'look', args: { at: 'me' }, id: 'a' }, { name: 'look', id: 'a' }),
        cancelsCalls('a'),
        offersHandle('h-1'),
        offersHandle(undefined),
        sends({ serverContent: { groundingMetadata: { webSearchQueries: ['noon'] } } }),
        endsTurn({ input: 3, output: 4 }),
        isInterrupted(),
        goesAway(2500),
        sends({ goAway: {} }),
        closes(1000),
      ],
    ]);

    expect(await eventsOf(await connect(emulator))).toEqual([
      { kind: 'speech', activity: 'start' },
      { kind: 'inputTranscript', text: 'Hel' },
      { kind: 'inputTranscript', text: 'lo?' },
      { kind: 'speech', activity: 'end' },
      { kind: 'text', text: 'Hm.', thought: true },
      { kind: 'audio', data: Buffer.from([1, 2]) },
      { kind: 'audio', data: Buffer.from([3, 4]) },
      { kind: 'outputTranscript', text: 'Good' },
      { kind: 'outputTranscript', text: ' day.' },
      { kind: 'text', text: 'As text.' },
      {
        kind: 'toolCall',
        calls: [
          { id: 'a', name: 'look', args: { at: 'me' } },
          { id: 'a', name: 'look', args: {} },
        ],
      },
      { kind: 'toolCallCancellation', ids: ['a'] },
      { kind: 'resumption', handle: 'h-1' },
      { kind: 'resumption' },
      { kind: 'grounding', grounding: { webSearchQueries: ['noon'] } },
      { kind: 'generationComplete' },
      { kind: 'usage', usage: { promptTokenCount: 3, candidatesTokenCount: 4, totalTokenCount: 7 } },
      { kind: 'turnComplete' },
      { kind: 'interrupted' },
      { kind: 'turnComplete' },
      { kind: 'goAway', timeLeftMs: 2500 },
      { kind: 'goAway', timeLeftMs: 60_000 },
      { kind: 'closed', clean: false },
    ]);
  });

  it('reports several things of one message with the end of the turn last', async () => {
    const serverContent = {
      turnComplete: true,
      interrupted: true,
      inputTranscription: { text: 'Stop', finished: true },
      modelTurn: { parts: [{ text: '' }, { inlineData: { mimeType: 'image/png', data: 'QUJD' } }] },
    };
    const emulator = await start([
      [sends({ usageMetadata: { totalTokenCount: 1 }, serverContent }), closes(1000)],
    ]);

    expect(await eventsOf(await connect(emulator))).toEqual([
      { kind: 'inputTranscript', text: 'Stop', finished: true },
      { kind: 'interrupted' },
      { kind: 'usage', usage: { totalTokenCount: 1 } },
      { kind: 'turnComplete' },
      { kind: 'closed', clean: true },
    ]);
  });

  it('reads audio in the alphabet of URLs as well, and usage in the words of Vertex AI', async () => {
    const part = { inlineData: { mimeType: 'audio/pcm;rate=24000', data: '-_-_' } };
    const emulator = await start([
      [
        sends({ serverContent: { modelTurn: { parts: [part] } } }),
        detectsVoice('end'),
        endsTurn({ input: 5, output: 4 }),
        closes(1000),
      ],
    ]);

    expect(await eventsOf(await connect(emulator, {}, { vertexai: true }))).toEqual([
      { kind: 'audio', data: Buffer.from('+/+/', 'base64') },
      { kind: 'speech', activity: 'end' },
      { kind: 'generationComplete' },
      { kind: 'usage', usage: { promptTokenCount: 5, candidatesTokenCount: 4, totalTokenCount: 9 } },
      { kind: 'turnComplete' },
      { kind: 'closed', clean: true },
    ]);
    expect(emulator.connections[0]?.path).toContain('LlmBidiService/BidiGenerateContent');
  });

  it('sends everything that a user sends, in the order of the calls', async () => {
    const emulator = await start([
      [
        hearsText('Hello?'),
        hearsAudio(4),
        hearsKind('audioEnd'),
        hearsKind('video'),
        hearsResults('a'),
        closes(),
      ],
    ]);
    const connection = await connect(emulator, {
      history: [
        { role: 'user', parts: [{ text: 'Before.' }] },
        { role: 'model', parts: [{ text: 'Yes.' }] },
      ],
    });

    connection.sendContents([{ role: 'user', parts: [{ text: 'Hello?' }] }], true);
    connection.sendAudio(new Uint8Array([9, 1, 2, 9]).subarray(1, 3));
    connection.sendAudio(new Uint8Array([3, 4]));
    connection.endAudio();
    connection.sendActivity('start');
    connection.sendActivity('end');
    connection.sendVideo(Buffer.from('ABC'), 'image/jpeg');
    connection.sendToolResponses([
      { id: 'a', name: 'dig', response: { output: 1 }, scheduling: 'when_idle', willContinue: true },
    ]);
    await eventsOf(connection);

    expect([...(emulator.connections[0]?.audio ?? [])]).toEqual([1, 2, 3, 4]);
    expect(emulator.connections[0]?.heard.slice(1).map(({ json }) => json)).toMatchObject([
      {
        clientContent: {
          turns: [
            { role: 'user', parts: [{ text: 'Before.' }] },
            { role: 'model', parts: [{ text: 'Yes.' }] },
          ],
          turnComplete: false,
        },
      },
      { clientContent: { turns: [{ role: 'user', parts: [{ text: 'Hello?' }] }], turnComplete: true } },
      { realtimeInput: { audio: { data: 'AQI=', mimeType: 'audio/pcm;rate=16000' } } },
      { realtimeInput: { audio: { data: 'AwQ=' } } },
      { realtimeInput: { audioStreamEnd: true } },
      { realtimeInput: { activityStart: {} } },
      { realtimeInput: { activityEnd: {} } },
      { realtimeInput: { video: { data: 'QUJD', mimeType: 'image/jpeg' } } },
      {
        toolResponse: {
          functionResponses: [
            { id: 'a', name: 'dig', response: { output: 1 }, scheduling: 'WHEN_IDLE', willContinue: true },
          ],
        },
      },
    ]);
  });

  it('sends no history to a connection that it continues', async () => {
    const emulator = await start([[hearsText('Go on.'), closes()]]);
    const connection = await connect(emulator, {
      resume: 'h',
      history: [{ role: 'user', parts: [{ text: 'Before.' }] }],
    });
    connection.sendContents([{ role: 'user', parts: [{ text: 'Go on.' }] }], true);
    await eventsOf(connection);

    expect(emulator.connections[0]?.heard.map(({ kind }) => kind)).toEqual(['setup', 'text']);
  });

  it('leaves out on Vertex AI what is not known there', async () => {
    const emulator = await start([[hearsKind('results'), closes()]]);
    const connection = await connect(
      emulator,
      { tools: [{ functionDeclarations: [{ name: 'dig' }] }], backgroundTools: ['dig'] },
      { vertexai: true },
    );
    connection.sendToolResponses([
      { id: '', name: 'dig', response: {}, scheduling: 'silent', willContinue: false },
    ]);
    await eventsOf(connection);

    expect(JSON.stringify(emulator.connections[0]?.heard[0]?.json)).not.toContain('NON_BLOCKING');
    expect(emulator.connections[0]?.heard[1]?.json).toEqual({
      toolResponse: { functionResponses: [{ name: 'dig', response: {} }] },
    });
  });

  it('sends text to models from Gemini 3 on the way of speech', async () => {
    const emulator = await start([[hearsText('Hello?'), closes()]]);
    const connection = await connect(emulator, {}, { model: 'gemini-3.1-flash-live-preview' });
    connection.sendContents([{ role: 'user', parts: [{ text: 'Hello?' }] }], true);
    await eventsOf(connection);

    expect(emulator.connections[0]?.heard[1]?.json).toEqual({ realtimeInput: { text: 'Hello?' } });
  });

  it('says what its models can do', () => {
    const of = (options: GeminiOptions) => new GeminiLiveModel(options).capabilities;

    expect(of({ vertexai: false })).toMatchObject({ modalities: ['audio', 'text'], asyncCalls: true });
    expect(of({ vertexai: true })).toMatchObject({ asyncCalls: false, resumes: true });
    expect(of({ model: 'gemini-2.5-flash-native-audio-preview' })).toMatchObject({ modalities: ['audio'] });
    expect(of({ model: 'gemini-3.1-flash-live-preview' })).toMatchObject({
      modalities: ['audio'],
      asyncCalls: false,
      providerTools: ['googleSearch'],
    });
    expect(new GeminiModel({ model: 'gemini-live-x' }).live).toMatchObject({ name: 'gemini-live-x' });
  });

  it('refuses settings of an agent that a connection does not have, before it connects', async () => {
    const emulator = await start([]);

    await expect(
      connect(emulator, { config: { stopSequences: ['.'], candidateCount: 2, temperature: 1 } }),
    ).rejects.toMatchObject({
      code: 'LIVE_NOT_SUPPORTED',
      message: expect.stringMatching(/no setting stopSequences.*no setting candidateCount/) as string,
    });
    expect(emulator.connections).toHaveLength(0);
  });

  it('refuses to send a key over the network unencrypted', () => {
    expect(() => new GeminiLiveModel({ baseUrl: 'http://example.com' })).toThrow('unencrypted');
  });

  it.each([
    [[refuses(403, KEY)], 'MODEL_UNAVAILABLE', 'HTTP 403'],
    [[refuses(500, KEY)], 'MODEL_UNAVAILABLE', 'refused with HTTP 500'],
    [[hearsSetup(), closes(1008, `API key not valid: ${KEY}`)], 'MODEL_UNAVAILABLE', 'not valid: [key].'],
    [
      [hearsSetup(), closes(1008, 'models/x is not found for API version v1beta')],
      'MODEL_NOT_FOUND',
      'no model',
    ],
    [
      [hearsSetup(), closes(1007, `Invalid voice ${KEY}`)],
      'MODEL_FAILED',
      'code 1007): Invalid voice [key].',
    ],
    [[hearsSetup(), closes(1011)], 'MODEL_FAILED', 'No reason was given.'],
    [[hearsSetup(), drops()], 'MODEL_UNAVAILABLE', 'lost before the setup was confirmed'],
    [[hearsSetup(), sends('not JSON'), closes(1011, 'Internal error')], 'MODEL_FAILED', 'Internal error.'],
  ])('tells why there is no connection, without the key (%#)', async (steps, code, message) => {
    const emulator = await start([steps]);

    const error = (await connect(emulator).catch((thrown: unknown) => thrown)) as Error;

    expect(error).toMatchObject({ code, message: expect.stringContaining(message) as string });
    expect(
      `${error.message} ${error.stack ?? ''} ${JSON.stringify(error)} ${String(error.cause)}`,
    ).not.toContain(KEY);
  });

  it('tells of a server that is not there', async () => {
    const emulator = await start([]);
    const { url } = emulator;
    await emulator.close();

    const error = (await connect({ url }).catch((thrown: unknown) => thrown)) as Error;

    expect(error).toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringContaining('ECONNREFUSED') as string,
    });
    expect(JSON.stringify(error)).not.toContain(KEY);
  });

  it.each([
    ['the WebSocket', [ignores()]],
    ['the setup', [hearsSetup(), hearsText('never')]],
  ])('does not wait longer than its limit for %s', async (_, steps) => {
    const emulator = await start([steps]);

    await expect(connect(emulator, {}, {}, { timeout: 60 })).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringContaining('not answered within 60 ms') as string,
    });
  });

  it('leaves no connection behind that was not set up', async () => {
    const emulator = await start([[hearsSetup(), hearsText('never')]]);
    await connect(emulator, {}, {}, { timeout: 60 }).catch(() => undefined);

    for (let tries = 0; tries < 100 && emulator.connections[0]?.closed === undefined; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 10));

    expect(emulator.connections[0]?.closed).toMatchObject({ code: 1006 });
  });

  it('is not opened once it is cancelled, and is given up while it is opened', async () => {
    const emulator = await start([[hearsSetup(), hearsText('never')]]);
    const reason = new Error('cancelled');
    await expect(connect(emulator, {}, {}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const connecting = connect(emulator, {}, {}, { signal: controller.signal });
    setTimeout(() => {
      controller.abort(reason);
    }, 50);

    await expect(connecting).rejects.toBe(reason);
  });

  it('is closed by its signal, by a reader that stops, and by itself; nothing is sent after it', async () => {
    const emulator = await start([[], [writes('a')], []]);
    const controller = new AbortController();
    const aborted = await connect(emulator, {}, {}, { signal: controller.signal });
    const stopped = await connect(emulator);
    const closed = await connect(emulator);

    controller.abort();
    for await (const event of stopped) if (event.kind === 'text') break;
    closed.close();
    closed.close();
    closed.sendContents([{ role: 'user', parts: [{ text: 'late' }] }], true);

    expect(await eventsOf(aborted)).toEqual([{ kind: 'closed', clean: true }]);
    expect(await eventsOf(closed)).toEqual([{ kind: 'closed', clean: true }]);
    await emulator.close();
    expect(emulator.connections.map(({ closed: end }) => end !== undefined)).toEqual([true, true, true]);
    expect(emulator.connections[2]?.heard).toHaveLength(1);
  });

  it.each([
    [[drops()], { clean: false }],
    [[cuts(writes('never'))], { clean: false }],
    [
      [closes(1011, `The service is unavailable ${KEY}`)],
      { clean: false, reason: 'The service is unavailable [key]' },
    ],
    [[goesAway(10), closes(1000)], { clean: false }],
    [[closes(1000)], { clean: true }],
  ])('tells how a connection has ended (%#)', async (steps, expected) => {
    const events = await eventsOf(await connect(await start([steps])));

    expect(events.at(-1)).toMatchObject({ kind: 'closed', ...expected });
    expect(events.filter(({ kind }) => kind === 'closed')).toHaveLength(1);
    expect(events.filter(({ kind }) => kind === 'error')).toEqual([]);
  });

  it('tells of a request that will not be accepted the next time either', async () => {
    const events = await eventsOf(await connect(await start([[fails('1007', `Invalid argument ${KEY}`)]])));

    expect(events).toEqual([
      {
        kind: 'error',
        code: 'MODEL_FAILED',
        message: 'Gemini closed the connection (code 1007): Invalid argument [key]',
        fatal: true,
      },
      { kind: 'closed', clean: false, reason: 'Invalid argument [key]' },
    ]);
  });

  it('goes on after a message that is no JSON, one that cannot be sent, and hostile ones', async () => {
    const emulator = await start([
      [
        sends('{"serverContent":'),
        sends('null'),
        sends({
          serverContent: null,
          toolCall: {},
          goAway: { timeLeft: 'soon' },
          toolCallCancellation: null,
        }),
        sends({ toolCall: { functionCalls: [{ id: 'x' }, { name: '' }] } }),
        hearsKind('text'),
        closes(1000),
      ],
    ]);
    const connection = await connect(emulator);
    connection.sendVideo(Buffer.from('ABC'), 'text/plain');
    connection.interrupt(10);
    connection.update({ instruction: '', tools: [], backgroundTools: [] });
    connection.sendToolResponses([]);
    connection.sendContents([], true);

    const events = await eventsOf(connection);

    const errors = events.flatMap((event) => (event.kind === 'error' ? [event] : []));
    expect(errors.every(({ fatal }) => !fatal)).toBe(true);
    expect(errors.map(({ message }) => message).sort()).toEqual([
      expect.stringContaining('A message cannot be sent to Gemini'),
      expect.stringContaining('no message for "interrupt"'),
      expect.stringContaining('no message for "update"'),
      expect.stringContaining('not JSON'),
      expect.stringContaining('not JSON'),
    ]);
    expect(events.filter(({ kind }) => kind !== 'error')).toEqual([
      { kind: 'goAway', timeLeftMs: 60_000 },
      { kind: 'closed', clean: false },
    ]);
  });

  it('tells how much has not left yet', async () => {
    const connection = await connect(await start([[]]));
    expect(connection.bufferedBytes).toBe(0);
    for (let index = 0; index < 200; index += 1) connection.sendAudio(new Uint8Array(100_000));
    expect(connection.bufferedBytes).toBeGreaterThan(0);
  });
});

async function eventsOf(connection: LiveConnection): Promise<LiveEvent[]> {
  const events: LiveEvent[] = [];
  for await (const event of connection) events.push(event);
  return events;
}
