import type { LiveConnection, LiveEvent, LiveSetup } from '@adorn/core/backend';
import { type LiveEmulator, type LiveScript, liveWire, startOpenAiRealtimeEmulator } from '@adorn/testing';

import type { OpenAiRealtimeOptions } from './openai-realtime-options.js';
import { OpenAiRealtimeModel } from './openai-realtime.model.js';

const KEY = 'a-very-secret-key';

const SETUP: LiveSetup = {
  instruction: 'Be brief.',
  tools: [],
  backgroundTools: [],
  history: [],
  modality: 'audio',
  transcribe: { input: false, output: true },
  activity: 'automatic',
  config: {},
};

const {
  calls,
  closes,
  cuts,
  detectsVoice,
  drops,
  endsTurn,
  fails,
  hears,
  hearsAudio,
  hearsKind,
  hearsResults,
  hearsSetup,
  hearsText,
  ignores,
  isInterrupted,
  pauses,
  refuses,
  sends,
  speaks,
  transcribes,
  writes,
} = liveWire;

/** Milliseconds of silence. */
const audio = (ms: number): Buffer => Buffer.alloc(48 * ms);

const user = (text: string) => [{ role: 'user', parts: [{ text }] }];

describe('OpenAiRealtimeModel', () => {
  const running: LiveEmulator[] = [];
  const open: LiveConnection[] = [];

  afterEach(async () => {
    for (const connection of open.splice(0)) connection.close();
    await Promise.allSettled(running.splice(0).map((emulator) => emulator.close()));
  });

  async function start(script: LiveScript): Promise<LiveEmulator> {
    const emulator = await startOpenAiRealtimeEmulator(script);
    running.push(emulator);
    return emulator;
  }

  async function connect(
    { url }: Pick<LiveEmulator, 'url'>,
    setup: Partial<LiveSetup> = {},
    options: OpenAiRealtimeOptions = {},
    { timeout = 5_000, signal = new AbortController().signal } = {},
  ): Promise<LiveConnection> {
    const model = new OpenAiRealtimeModel({ baseUrl: `${url}/v1`, apiKey: KEY, ...options });
    const connection = await model.connect({ ...SETUP, ...setup }, { signal, timeout });
    open.push(connection);
    return connection;
  }

  const sentTo = (emulator: LiveEmulator) => emulator.connections[0]?.heard.map(({ json }) => json) ?? [];

  it('sends the setup in the words of the API, and the key as a header', async () => {
    const emulator = await start([[]]);

    await connect(
      emulator,
      {
        tools: [
          {
            functionDeclarations: [
              {
                name: 'look',
                description: 'Look.',
                parametersJsonSchema: { type: 'object', properties: { at: {} } },
              },
              { name: 'now' },
            ],
          },
        ],
        voice: 'marin',
        language: 'de-DE',
        transcribe: { input: true, output: true },
        config: { maxOutputTokens: 100, toolConfig: { functionCallingConfig: { mode: 'ANY' as never } } },
      },
      { turnDetection: { silence: 300 }, noiseReduction: 'near_field', interruptible: false },
    );

    expect(sentTo(emulator)).toEqual([
      {
        type: 'session.update',
        session: {
          type: 'realtime',
          instructions: 'Be brief.',
          output_modalities: ['audio'],
          tools: [
            {
              type: 'function',
              name: 'look',
              description: 'Look.',
              parameters: { type: 'object', properties: { at: {} } },
            },
            { type: 'function', name: 'now', parameters: { type: 'object', properties: {} } },
          ],
          tool_choice: 'required',
          max_output_tokens: 100,
          audio: {
            input: {
              format: { type: 'audio/pcm', rate: 24_000 },
              transcription: { model: 'gpt-4o-mini-transcribe', language: 'de' },
              turn_detection: {
                type: 'server_vad',
                silence_duration_ms: 300,
                create_response: true,
                interrupt_response: false,
              },
              noise_reduction: { type: 'near_field' },
            },
            output: { format: { type: 'audio/pcm', rate: 24_000 }, voice: 'marin' },
          },
        },
      },
    ]);
    expect(emulator.connections[0]).toMatchObject({
      path: '/v1/realtime?model=gpt-realtime',
      headers: { authorization: `Bearer ${KEY}` },
    });
  });

  it('holds a conversation with calls: all are answered before the model is asked to go on', async () => {
    const emulator = await start([
      [
        hearsText('Hello?'),
        calls({ name: 'look', args: { at: 'me' }, id: 'a' }, { name: 'now', id: 'b' }),
        hearsResults('a', 'b'),
        speaks([audio(20), audio(20)], 'Good', ' day.'),
        endsTurn({ input: 3, output: 4 }),
        closes(1000),
      ],
    ]);
    const connection = await connect(emulator);
    connection.sendContents(user('Hello?'), true);
    const events: LiveEvent[] = [];
    for await (const event of connection) {
      events.push(event);
      if (event.kind !== 'toolCall') continue;
      for (const { id = '', name = '' } of event.calls)
        connection.sendToolResponses([{ id, name, response: { output: id } }]);
    }

    expect(events).toEqual([
      {
        kind: 'toolCall',
        calls: [
          { id: 'a', name: 'look', args: { at: 'me' } },
          { id: 'b', name: 'now', args: {} },
        ],
      },
      { kind: 'audio', data: audio(20) },
      { kind: 'audio', data: audio(20) },
      { kind: 'outputTranscript', text: 'Good' },
      { kind: 'outputTranscript', text: ' day.' },
      { kind: 'generationComplete' },
      { kind: 'usage', usage: { promptTokenCount: 3, candidatesTokenCount: 4, totalTokenCount: 7 } },
      { kind: 'turnComplete' },
      { kind: 'closed', clean: true },
    ]);
    expect(sentTo(emulator).slice(1)).toMatchObject([
      {
        type: 'conversation.item.create',
        item: { role: 'user', content: [{ type: 'input_text', text: 'Hello?' }] },
      },
      { type: 'response.create' },
      { item: { type: 'function_call_output', call_id: 'a', output: '{"output":"a"}' } },
      { item: { type: 'function_call_output', call_id: 'b', output: '{"output":"b"}' } },
      { type: 'response.create' },
    ]);
  });

  it('reports what the user says, and an interruption with the end of the turn', async () => {
    const emulator = await start([
      [
        hearsAudio(4),
        detectsVoice('start'),
        detectsVoice('end'),
        transcribes('Hi', ' there'),
        speaks([audio(20)]),
        detectsVoice('start'),
        isInterrupted(),
        closes(1000),
      ],
    ]);
    const connection = await connect(emulator, { transcribe: { input: true, output: false } });
    connection.sendAudio(new Uint8Array([9, 1, 2, 3, 4, 9]).subarray(1, 5));

    expect(await eventsOf(connection)).toEqual([
      { kind: 'speech', activity: 'start' },
      { kind: 'speech', activity: 'end', utterance: 'item_0' },
      { kind: 'inputTranscript', text: 'Hi', utterance: 'item_0' },
      { kind: 'inputTranscript', text: ' there', utterance: 'item_0' },
      { kind: 'inputTranscript', text: '', finished: true, utterance: 'item_0' },
      { kind: 'audio', data: audio(20) },
      { kind: 'speech', activity: 'start' },
      { kind: 'interrupted' },
      { kind: 'turnComplete' },
      { kind: 'closed', clean: true },
    ]);
    expect([...(emulator.connections[0]?.audio ?? [])]).toEqual([1, 2, 3, 4]);
  });

  it('ends an answer that is interrupted at what was played, and drops the rest of it', async () => {
    const emulator = await start([
      [
        hearsText(),
        speaks([audio(100)], 'Good'),
        hearsKind('cancel'),
        hears(({ kind }) => kind === 'truncate'),
        sends({
          type: 'response.output_audio.delta',
          response_id: 'r',
          item_id: 'i',
          content_index: 0,
          output_index: 0,
          event_id: 'e',
          delta: 'AQI=',
        }),
        closes(1000),
      ],
    ]);
    const connection = await connect(emulator);
    connection.sendContents(user('Hello?'), true);
    const events: LiveEvent[] = [];
    for await (const event of connection) {
      events.push(event);
      if (event.kind === 'outputTranscript') connection.interrupt(30.7);
    }

    expect(sentTo(emulator).slice(3)).toMatchObject([
      { type: 'response.cancel' },
      { type: 'conversation.item.truncate', content_index: 0, audio_end_ms: 30 },
    ]);
    expect(events.map(({ kind }) => kind)).toEqual(['audio', 'outputTranscript', 'turnComplete', 'closed']);
  });

  it('truncates an answer that the user has interrupted while it was still playing', async () => {
    const emulator = await start([
      [
        hearsText(),
        speaks([audio(60_000)]),
        endsTurn(),
        detectsVoice('start'),
        hears(({ kind }) => kind === 'truncate'),
        closes(1000),
      ],
    ]);
    const connection = await connect(emulator);
    connection.sendContents(user('Hello?'), true);
    const events: LiveEvent[] = [];
    for await (const event of connection) {
      events.push(event);
      if (event.kind === 'interrupted') connection.interrupt(1_000);
    }

    expect(events.map(({ kind }) => kind)).toEqual([
      'audio',
      'generationComplete',
      'turnComplete',
      'speech',
      'interrupted',
      'closed',
    ]);
    expect(sentTo(emulator).map(({ type }) => type)).not.toContain('response.cancel');
  });

  it('asks for an answer only when the one under way has ended', async () => {
    const emulator = await start([
      [
        hearsText('One'),
        writes('1'),
        hearsText('Two'),
        pauses(20),
        endsTurn(),
        hearsKind('respond'),
        writes('2'),
        endsTurn(),
        closes(1000),
      ],
    ]);
    const connection = await connect(emulator, { modality: 'text' });
    connection.sendContents(user('One'), true);
    const events: LiveEvent[] = [];
    for await (const event of connection) {
      events.push(event);
      if (event.kind === 'text' && event.text === '1') connection.sendContents(user('Two'), true);
    }

    expect(events.flatMap((event) => (event.kind === 'text' ? [event.text] : []))).toEqual(['1', '2']);
    expect(events.filter(({ kind }) => kind === 'error')).toEqual([]);
  });

  it('sends history, images, changed instructions, and the end of the user by hand', async () => {
    const emulator = await start([
      [hearsAudio(), hearsKind('audioEnd'), writes('Heard.'), endsTurn(), closes(1000)],
    ]);
    const connection = await connect(emulator, {
      activity: 'manual',
      history: [
        ...user('Before.'),
        {
          role: 'model',
          parts: [
            { text: 'Hm.', thought: true },
            { text: 'Yes.' },
            { functionCall: { id: 'a', name: 'now', args: { zone: 'UTC' } } },
          ],
        },
        {
          role: 'user',
          parts: [{ functionResponse: { id: 'a', name: 'now', response: { output: 'noon' } } }],
        },
        { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'QUJD' } }] },
      ],
    });
    connection.update({ instruction: 'Be long.', tools: [], backgroundTools: [] });
    connection.sendVideo(Buffer.from('ABC'), 'image/jpeg');
    connection.sendActivity('start');
    connection.sendAudio(new Uint8Array(2));
    connection.sendActivity('end');
    await eventsOf(connection);

    expect(sentTo(emulator)).toMatchObject([
      { session: { audio: { input: { turn_detection: null } } } },
      { item: { role: 'user', content: [{ text: 'Before.' }] } },
      { item: { role: 'assistant', content: [{ type: 'output_text', text: 'Yes.' }] } },
      { item: { type: 'function_call', call_id: 'a', name: 'now', arguments: '{"zone":"UTC"}' } },
      { item: { type: 'function_call_output', call_id: 'a', output: '{"output":"noon"}' } },
      { item: { content: [{ type: 'input_image', image_url: 'data:image/png;base64,QUJD' }] } },
      { type: 'session.update', session: { type: 'realtime', instructions: 'Be long.', tools: [] } },
      { item: { content: [{ type: 'input_image', image_url: 'data:image/jpeg;base64,QUJD' }] } },
      { type: 'input_audio_buffer.clear' },
      { type: 'input_audio_buffer.append' },
      { type: 'input_audio_buffer.commit' },
      { type: 'response.create' },
    ]);
  });

  it('says by silence that the microphone is off', async () => {
    const emulator = await start([[hearsAudio(48_000), closes(1000)]]);
    const connection = await connect(emulator);
    connection.endAudio();
    await eventsOf(connection);

    expect(emulator.connections[0]?.audio).toEqual(audio(1_000));
  });

  it('answers a call whose arguments are no JSON itself, and asks again', async () => {
    const output = [{ type: 'function_call', call_id: 'x', name: 'look', arguments: '{"at":' }];
    const emulator = await start([
      [
        sends({ type: 'response.created', event_id: 'e', response: { id: 'r' } }),
        sends({ type: 'response.done', event_id: 'e', response: { id: 'r', status: 'completed', output } }),
        hearsResults('x'),
        hearsKind('respond'),
        closes(1000),
      ],
    ]);

    expect(await eventsOf(await connect(emulator))).toEqual([{ kind: 'closed', clean: true }]);
    expect(JSON.stringify(sentTo(emulator))).toContain('not a JSON object');
  });

  it('reports failures as events, and goes on', async () => {
    const done = (response: object) => sends({ type: 'response.done', event_id: 'e', response });
    const emulator = await start([
      [
        sends('{"type":'),
        sends('[]'),
        fails('invalid_value', `Invalid value ${KEY}`),
        done({ status: 'failed', status_details: { error: { type: 'server_error' } } }),
        done({ status: 'incomplete', status_details: { reason: 'max_output_tokens' }, output: [] }),
        sends({ type: 'response.output_audio.delta', item_id: 'i', content_index: 0, delta: '' }),
        sends({ type: 'something.new' }),
        closes(1000),
      ],
    ]);
    const events = await eventsOf(await connect(emulator));

    expect(events.flatMap((event) => (event.kind === 'error' ? [event.message] : []))).toEqual([
      'OpenAI sent a message that is not an event; it was left out.',
      'OpenAI sent a message that is not an event; it was left out.',
      'OpenAI: Invalid value [key]',
      'OpenAI could not answer: server_error',
      'OpenAI ended its answer early: max_output_tokens',
    ]);
    expect(events.filter(({ kind }) => kind === 'turnComplete')).toHaveLength(2);
  });

  it.each([
    [[refuses(401, `Incorrect API key: ${KEY}`)], 'MODEL_UNAVAILABLE', 'Incorrect API key: [key]'],
    [[refuses(404, 'No such model')], 'MODEL_NOT_FOUND', 'No such model.'],
    [[refuses(503)], 'MODEL_UNAVAILABLE', 'HTTP 503'],
    [[refuses(429, 'Quota exceeded')], 'MODEL_FAILED', 'Quota exceeded.'],
    [[hearsSetup(), fails('invalid_value', `Invalid voice ${KEY}`)], 'MODEL_FAILED', 'Invalid voice [key].'],
    [[hearsSetup(), fails('invalid_api_key', 'No.')], 'MODEL_UNAVAILABLE', 'the key was refused'],
    [[hearsSetup(), closes(1008, 'No such thing')], 'MODEL_FAILED', 'No such thing.'],
    [[hearsSetup(), drops()], 'MODEL_UNAVAILABLE', 'code 1006'],
  ])('tells why there is no connection, without the key (%#)', async (steps, code, message) => {
    const error = (await connect(await start([steps])).catch((thrown: unknown) => thrown)) as Error;

    expect(error).toMatchObject({ code, message: expect.stringContaining(message) as string });
    expect(`${error.message} ${error.stack ?? ''} ${JSON.stringify(error)}`).not.toContain(KEY);
  });

  it('tells of a server that is not there, and of one that does not answer', async () => {
    const gone = await start([]);
    const { url } = gone;
    await gone.close();
    await expect(connect({ url })).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringContaining('ECONNREFUSED') as string,
    });

    const silent = await start([[ignores()], [hearsSetup(), hearsText('never')]]);
    for (const _ of [1, 2])
      await expect(connect(silent, {}, {}, { timeout: 60 })).rejects.toMatchObject({
        code: 'MODEL_UNAVAILABLE',
        message: expect.stringContaining('within 60 ms') as string,
      });
  });

  it('refuses what it cannot do and where its key must not go, before it connects', async () => {
    const emulator = await start([]);

    await expect(connect(emulator, { config: { temperature: 1 } })).rejects.toMatchObject({
      code: 'LIVE_NOT_SUPPORTED',
      message: expect.stringContaining('no setting temperature') as string,
    });
    await expect(connect(emulator, { language: 'de-DE' })).rejects.toThrow('no choice of a language');
    expect(() => new OpenAiRealtimeModel({ baseUrl: 'http://example.com/v1' })).toThrow('unencrypted');
    expect(() => new OpenAiRealtimeModel({ baseUrl: 'ftp://example.com' })).toThrow('not an http');
    expect(() => new OpenAiRealtimeModel({ baseUrl: 'https://a:b@example.com' })).toThrow('a user name');
    expect(emulator.connections).toHaveLength(0);
  });

  it('is closed by its signal and by itself; nothing is sent after it', async () => {
    const emulator = await start([[], [], [hearsSetup(), hearsText('never')]]);
    const controller = new AbortController();
    const aborted = await connect(emulator, {}, {}, { signal: controller.signal });
    const closed = await connect(emulator);
    controller.abort();
    closed.close();
    closed.close();
    closed.sendContents(user('late'), true);
    closed.interrupt(1);

    expect(await eventsOf(aborted)).toEqual([{ kind: 'closed', clean: true }]);
    expect(await eventsOf(closed)).toEqual([{ kind: 'closed', clean: true }]);
    const reason = new Error('cancelled');
    await expect(connect(emulator, {}, {}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const late = new AbortController();
    const connecting = connect(emulator, {}, {}, { signal: late.signal });
    setTimeout(() => {
      late.abort(reason);
    }, 50);
    await expect(connecting).rejects.toBe(reason);
  });

  it.each([
    [[drops()], { clean: false }],
    [[cuts(sends({ type: 'rate_limits.updated' }))], { clean: false }],
    [[closes(1011, `Bye ${KEY}`)], { clean: false, reason: 'Bye [key]' }],
    [[closes(1000)], { clean: true }],
  ])('tells how a connection has ended (%#)', async (steps, expected) => {
    expect((await eventsOf(await connect(await start([steps])))).at(-1)).toEqual({
      kind: 'closed',
      ...expected,
    });
  });
});

async function eventsOf(connection: LiveConnection): Promise<LiveEvent[]> {
  const events: LiveEvent[] = [];
  for await (const event of connection) events.push(event);
  return events;
}
