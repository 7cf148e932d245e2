import { GoogleGenAI, type LiveServerMessage, Modality, type Session } from '@google/genai';
import { once } from 'node:events';
import { WebSocket } from 'ws';

import type { LiveEmulator, LiveScript } from './live-emulator.js';
import type { LiveJson } from './live-message.js';
import * as liveWire from './live-script.js';
import { startGeminiLiveEmulator, startOpenAiRealtimeEmulator } from './start-live-emulators.js';

const {
  backwards,
  calls,
  cancelsCalls,
  closes,
  cuts,
  detectsVoice,
  drops,
  endsTurn,
  fails,
  goesAway,
  hears,
  hearsAudio,
  hearsKind,
  hearsResults,
  hearsSetup,
  hearsText,
  ignores,
  isInterrupted,
  late,
  offersHandle,
  pauses,
  refuses,
  sends,
  speaks,
  thinks,
  transcribes,
  twice,
  writes,
} = liveWire;

const running: LiveEmulator[] = [];

afterEach(async () => {
  await Promise.allSettled(running.splice(0).map((emulator) => emulator.close()));
});

describe('startGeminiLiveEmulator', () => {
  async function start(script: LiveScript): Promise<LiveEmulator> {
    const emulator = await startGeminiLiveEmulator(script);
    running.push(emulator);
    return emulator;
  }

  it('holds a conversation with the real client, and records what it has sent', async () => {
    const emulator = await start([
      [
        hearsText('Hello?'),
        writes('Hel', 'lo.'),
        calls({ name: 'now', args: { zone: 'UTC' } }, { name: 'now', id: 'b' }),
        hearsResults('b', 'function-call-1'),
        endsTurn({ input: 3, output: 4 }),
      ],
    ]);
    const { session, messages, until } = await connect(emulator);

    session.sendClientContent({ turns: 'Hello?' });
    const { toolCall } = await until((message) => message.toolCall !== undefined);
    session.sendToolResponse({
      functionResponses: (toolCall?.functionCalls ?? []).map(({ id = '', name = '' }) => ({
        id,
        name,
        response: { output: 'noon' },
      })),
    });
    await until((message) => message.serverContent?.turnComplete === true);
    session.close();

    expect(messages.map(jsonOf)).toEqual([
      { setupComplete: {} },
      { serverContent: { modelTurn: { parts: [{ text: 'Hel' }] } } },
      { serverContent: { modelTurn: { parts: [{ text: 'lo.' }] } } },
      {
        toolCall: {
          functionCalls: [
            { id: 'function-call-1', name: 'now', args: { zone: 'UTC' } },
            { id: 'b', name: 'now', args: {} },
          ],
        },
      },
      { serverContent: { generationComplete: true } },
      {
        serverContent: { turnComplete: true },
        usageMetadata: { promptTokenCount: 3, responseTokenCount: 4, totalTokenCount: 7 },
      },
    ]);
    expect(emulator.connections[0]).toMatchObject({
      path: expect.stringContaining('v1beta.GenerativeService.BidiGenerateContent?key=secret') as string,
      heard: [
        { kind: 'setup', json: { setup: { model: 'models/m' } } },
        { kind: 'text', text: 'Hello?', respond: true },
        {
          kind: 'results',
          results: [
            { id: 'function-call-1', name: 'now', response: { output: 'noon' } },
            { id: 'b', name: 'now' },
          ],
        },
      ],
    });
    await emulator.close();
  });

  it('serves the path of Vertex AI as well', async () => {
    const emulator = await start([[hearsText(), writes('Hello.')]]);
    const client = new GoogleGenAI({
      vertexai: true,
      apiKey: 'secret',
      httpOptions: { baseUrl: emulator.url },
    });
    const { session, until } = await connect(emulator, client);

    session.sendRealtimeInput({ text: 'Hello?' });

    expect(await until((message) => message.serverContent !== undefined)).toMatchObject({
      serverContent: { modelTurn: { parts: [{ text: 'Hello.' }] } },
    });
    expect(emulator.connections[0]?.path).toContain('LlmBidiService/BidiGenerateContent');
    session.close();
  });

  it('hears audio however it is cut, video, activity and the end of the audio', async () => {
    const emulator = await start([
      [hearsAudio(6), hearsKind('video'), hearsKind('activity'), hearsKind('audioEnd'), writes('Heard.')],
    ]);
    const { session, until } = await connect(emulator);
    const audio = (...bytes: number[]) => ({
      data: Buffer.from(bytes).toString('base64'),
      mimeType: 'audio/pcm;rate=16000',
    });

    session.sendRealtimeInput({ audio: audio(1, 2) });
    session.sendRealtimeInput({ audio: audio(3, 4, 5, 6) });
    session.sendRealtimeInput({ video: { data: 'QUJD', mimeType: 'image/jpeg' } });
    session.sendRealtimeInput({ activityStart: {} });
    session.sendRealtimeInput({ audioStreamEnd: true });
    await until((message) => message.serverContent !== undefined);
    session.close();

    expect([...(emulator.connections[0]?.audio ?? [])]).toEqual([1, 2, 3, 4, 5, 6]);
    expect(emulator.connections[0]?.heard.slice(3)).toMatchObject([
      { kind: 'video', mimeType: 'image/jpeg', bytes: Buffer.from('ABC') },
      { kind: 'activity', activity: 'start' },
      { kind: 'audioEnd' },
    ]);
  });

  it('says in the words of Gemini whatever a script has', async () => {
    const emulator = await start([
      [
        thinks('Hm.'),
        speaks([Buffer.from([1, 2]), Buffer.from([3, 4])], 'Good', ' day.'),
        transcribes('Hi', ' there'),
        detectsVoice('start'),
        isInterrupted(),
        cancelsCalls('a'),
        goesAway(2500),
        offersHandle('h-1'),
        offersHandle(undefined),
        sends({ serverContent: { waitingForInput: true } }),
      ],
    ]);
    const { messages, until } = await connect(emulator);

    await until((message) => message.serverContent?.waitingForInput === true);

    const audio = (data: string) => ({ inlineData: { mimeType: 'audio/pcm;rate=24000', data } });
    expect(messages.slice(1).map(jsonOf)).toEqual([
      { serverContent: { modelTurn: { parts: [{ text: 'Hm.', thought: true }] } } },
      { serverContent: { modelTurn: { parts: [audio('AQI=')] } } },
      { serverContent: { modelTurn: { parts: [audio('AwQ=')] } } },
      { serverContent: { outputTranscription: { text: 'Good' } } },
      { serverContent: { outputTranscription: { text: ' day.' } } },
      { serverContent: { inputTranscription: { text: 'Hi' } } },
      { serverContent: { inputTranscription: { text: ' there' } } },
      { voiceActivity: { voiceActivityType: 'ACTIVITY_START' } },
      { serverContent: { interrupted: true } },
      { serverContent: { turnComplete: true } },
      { toolCallCancellation: { ids: ['a'] } },
      { goAway: { timeLeft: '2.5s' } },
      { sessionResumptionUpdate: { newHandle: 'h-1', resumable: true } },
      { sessionResumptionUpdate: {} },
      { serverContent: { waitingForInput: true } },
    ]);
  });

  it('says things twice, backwards and late', async () => {
    const emulator = await start([
      [late(30, writes('late')), twice(writes('a')), backwards(writes('b', 'c'), endsTurn()), pauses(1)],
    ]);
    const { messages, until } = await connect(emulator);

    await until(({ serverContent }) => serverContent?.modelTurn?.parts?.[0]?.text === 'late');

    expect(
      messages.slice(1).map(({ serverContent }) => serverContent?.modelTurn?.parts?.[0]?.text ?? 'end'),
    ).toEqual(['a', 'a', 'end', 'end', 'c', 'b', 'late']);
  });

  it.each([
    ['closes', [closes(1008, 'API key not valid')], { code: 1008, reason: 'API key not valid' }],
    ['fails', [fails('1007', 'Request contains an invalid argument.')], { code: 1007 }],
    ['drops', [drops()], { code: 1006 }],
    ['cuts', [cuts(writes('never'))], { code: 1006 }],
  ])('%s a connection', async (_, steps, expected) => {
    const emulator = await start([[writes('a'), ...steps]]);
    const { messages, closed } = await connect(emulator);

    expect(await closed).toMatchObject(expected);
    expect(messages).toHaveLength(2);
    await emulator.close();
    expect(emulator.connections[0]?.closed).toMatchObject({ code: expect.any(Number) as number });
  });

  it('refuses a WebSocket, and leaves one without an answer', async () => {
    const emulator = await start([[refuses(403, 'No.')], [ignores()]]);
    const path = `${emulator.url.replace('http', 'ws')}/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent`;

    await expect(opened(new WebSocket(path))).rejects.toThrow('Unexpected server response: 403');
    await expect(opened(new WebSocket(path, { handshakeTimeout: 50 }))).rejects.toThrow('timed out');
    await expect(opened(new WebSocket(`${path}Nothing`))).rejects.toThrow('404');
    await emulator.close();
  });

  it('leaves the setup to the script, if it begins with it', async () => {
    const emulator = await start([[hearsSetup(), closes(1007, 'No such model')]]);
    const socket = new WebSocket(
      `${emulator.url.replace('http', 'ws')}/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent`,
    );
    await opened(socket);
    socket.send('{"setup":{}}');

    expect(await once(socket, 'close')).toMatchObject([1007, Buffer.from('No such model')]);
  });

  it('plays a function of the connection while the conversation goes on', async () => {
    const emulator = await start(async function* ({ heard }) {
      yield hearsText();
      const last = heard.at(-1);
      yield writes(last?.kind === 'text' ? last.text.toUpperCase() : '');
    });
    const { session, until } = await connect(emulator);

    session.sendClientContent({ turns: 'echo' });

    expect(await until((message) => message.serverContent !== undefined)).toMatchObject({
      serverContent: { modelTurn: { parts: [{ text: 'ECHO' }] } },
    });
  });

  it('tells what did not fit its script', async () => {
    const waiting = await start([[hearsText('Bye'), writes('Bye.')]]);
    (await connect(waiting)).session.close();
    await once(process, 'never', { signal: AbortSignal.timeout(50) }).catch(() => undefined);
    await expect(waiting.close()).rejects.toMatchObject({
      code: 'SCRIPT_LEFT_OVER',
      message: expect.stringContaining(
        'at step 2 of its script (the setup counts), which waits for the text "Bye"',
      ) as string,
    });

    await expect((await start([[], []])).close()).rejects.toMatchObject({
      code: 'SCRIPT_LEFT_OVER',
      message: expect.stringContaining('0 of the 2 connections') as string,
    });

    const none = await start([]);
    const socket = new WebSocket(
      `${none.url.replace('http', 'ws')}/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent`,
    );
    await expect(opened(socket)).rejects.toThrow('500');
    await expect(none.close()).rejects.toMatchObject({ code: 'SCRIPT_EXHAUSTED' });
  });

  async function connect(
    { url }: LiveEmulator,
    client = new GoogleGenAI({ apiKey: 'secret', httpOptions: { baseUrl: url } }),
  ): Promise<{
    session: Session;
    messages: LiveServerMessage[];
    closed: Promise<{ code: number; reason: string }>;
    until: (isIt: (message: LiveServerMessage) => boolean) => Promise<LiveServerMessage>;
  }> {
    const messages: LiveServerMessage[] = [];
    let wake = (): void => undefined;
    let onClose: (end: { code: number; reason: string }) => void = () => undefined;
    const closed = new Promise<{ code: number; reason: string }>((resolve) => (onClose = resolve));
    const session = await client.live.connect({
      model: 'm',
      config: { responseModalities: [Modality.TEXT] },
      callbacks: {
        onmessage: (message) => {
          messages.push(message);
          wake();
        },
        onclose: ({ code, reason }) => {
          onClose({ code, reason });
        },
      },
    });
    const until = async (isIt: (message: LiveServerMessage) => boolean): Promise<LiveServerMessage> => {
      for (;;) {
        const found = messages.find(isIt);
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    };
    return { session, messages, closed, until };
  }
});

describe('startOpenAiRealtimeEmulator', () => {
  async function start(script: LiveScript): Promise<{ emulator: LiveEmulator; client: RealtimeClient }> {
    const emulator = await startOpenAiRealtimeEmulator(script);
    running.push(emulator);
    const client = new RealtimeClient(`${emulator.url.replace('http', 'ws')}/v1/realtime?model=gpt-realtime`);
    client.send({ type: 'session.update', session: { type: 'realtime', instructions: 'Be brief.' } });
    await client.until('session.updated');
    return { emulator, client };
  }

  it('holds a conversation, and waits until an answer is asked for', async () => {
    const { emulator, client } = await start([
      [
        hearsText('Hello?'),
        writes('Hel', 'lo.'),
        calls({ name: 'now', args: { zone: 'UTC' }, id: 'call_a' }),
        hearsResults('call_a'),
        speaks([Buffer.from([1, 2])], 'Noon.'),
        endsTurn({ input: 3, output: 4 }),
      ],
    ]);

    client.say('Hello?');
    await client.until('conversation.item.done');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(client.types).not.toContain('response.created');
    client.send({ type: 'response.create' });
    const first = await client.until('response.done');
    client.events.length = 0;
    client.send({
      type: 'conversation.item.create',
      item: { type: 'function_call_output', call_id: 'call_a', output: '{"output":"noon"}' },
    });
    client.send({ type: 'response.create' });
    const second = await client.until('response.done');

    expect(first).toMatchObject({
      response: {
        status: 'completed',
        output: [
          { type: 'message', content: [{ type: 'output_text', text: 'Hello.' }] },
          { type: 'function_call', call_id: 'call_a', name: 'now', arguments: '{"zone":"UTC"}' },
        ],
      },
    });
    expect(client.types).toEqual([
      'conversation.item.added',
      'conversation.item.done',
      'response.created',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_audio.delta',
      'response.output_audio_transcript.delta',
      'response.output_audio_transcript.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.done',
    ]);
    expect(second).toMatchObject({
      response: { status: 'completed', usage: { total_tokens: 7, input_tokens: 3, output_tokens: 4 } },
    });
    expect(emulator.connections[0]?.heard).toMatchObject([
      { kind: 'setup' },
      { kind: 'text', text: 'Hello?' },
      { kind: 'respond' },
      { kind: 'results', results: [{ id: 'call_a', response: { output: 'noon' } }] },
      { kind: 'respond' },
    ]);
    client.close();
    await emulator.close();
  });

  it('answers speech by itself, and ends the answer when the user speaks again', async () => {
    const { client } = await start([
      [
        hearsAudio(4),
        detectsVoice('start'),
        detectsVoice('end'),
        transcribes('Hi', ' there'),
        speaks([Buffer.from([1, 2])], 'Good day.'),
        isInterrupted(),
      ],
    ]);

    client.send({ type: 'input_audio_buffer.append', audio: 'AQIDBA==' });
    const done = await client.until('response.done');

    expect(done).toMatchObject({
      response: { status: 'cancelled', status_details: { reason: 'turn_detected' } },
    });
    expect(client.types).toEqual(
      expect.arrayContaining([
        'input_audio_buffer.speech_started',
        'input_audio_buffer.speech_stopped',
        'input_audio_buffer.committed',
        'conversation.item.input_audio_transcription.completed',
      ]) as string[],
    );
    client.close();
  });

  it('does not answer speech by itself without detection of turns, but when it is committed and asked', async () => {
    const { client } = await start([[hearsAudio(), writes('Heard.'), endsTurn()]]);
    client.send({
      type: 'session.update',
      session: { type: 'realtime', audio: { input: { turn_detection: null } } },
    });
    client.send({ type: 'input_audio_buffer.append', audio: 'AQIDBA==' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(client.types).not.toContain('response.created');

    client.send({ type: 'input_audio_buffer.commit' });
    client.send({ type: 'response.create' });

    await client.until('response.done');
    expect(client.types).toContain('input_audio_buffer.committed');
    client.close();
  });

  it('says nothing more of an answer that is cancelled, and confirms its truncation', async () => {
    const { client } = await start([
      [
        hearsText(),
        speaks([Buffer.from([1, 2])], 'Good'),
        hearsKind('cancel'),
        speaks([Buffer.from([3, 4])], ' day.'),
        endsTurn(),
        hears(({ kind }) => kind === 'truncate'),
        hearsText('Again?'),
        writes('Again.'),
        endsTurn(),
      ],
    ]);
    client.say('Hello?');
    client.send({ type: 'response.create' });
    const { item_id } = await client.until('response.output_audio.delta');

    client.send({ type: 'response.cancel' });
    client.send({ type: 'conversation.item.truncate', item_id, content_index: 0, audio_end_ms: 20 });
    await client.until('conversation.item.truncated');
    client.say('Again?');
    client.send({ type: 'response.create' });
    await client.until('response.output_text.done');

    expect(client.events.filter(({ type }) => type === 'response.output_audio.delta')).toHaveLength(1);
    expect(client.events.find(({ type }) => type === 'response.done')).toMatchObject({
      response: { status: 'cancelled', status_details: { reason: 'client_cancelled' } },
    });
    client.close();
  });

  it('refuses what the API refuses', async () => {
    const { client } = await start([[hearsText(), writes('a'), pauses(200), endsTurn()]]);

    client.send({ type: 'response.cancel' });
    client.send({ type: 'input_audio_buffer.commit' });
    client.say('Hello?');
    client.send({ type: 'response.create' });
    await client.until('response.output_text.delta');
    client.send({ type: 'response.create' });
    await client.until('response.done');

    expect(
      client.events.filter(({ type }) => type === 'error').map(({ error }) => (error as LiveJson)['code']),
    ).toEqual([
      'response_cancel_not_active',
      'input_audio_buffer_commit_empty',
      'conversation_already_has_active_response',
    ]);
    client.close();
  });

  it('has no words for what only Gemini has', async () => {
    const { emulator, client } = await start([[goesAway(10)]]);
    client.close();

    await expect(emulator.close()).rejects.toThrow("OpenAI's Realtime API has no such message");
  });
});

class RealtimeClient {
  readonly events: LiveJson[] = [];
  private readonly socket: WebSocket;
  private wake = (): void => undefined;

  constructor(url: string) {
    this.socket = new WebSocket(url);
    this.socket.on('message', (data: Buffer) => {
      this.events.push(JSON.parse(data.toString()) as LiveJson);
      this.wake();
    });
  }

  get types(): unknown[] {
    return this.events.map(({ type }) => type);
  }

  say(text: string): void {
    const content = [{ type: 'input_text', text }];
    this.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } });
  }

  send(event: LiveJson): void {
    if (this.socket.readyState === WebSocket.CONNECTING) this.socket.once('open', () => this.send(event));
    else this.socket.send(JSON.stringify(event));
  }

  async until(type: string): Promise<LiveJson> {
    for (;;) {
      const found = this.events.find((event) => event['type'] === type);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  close(): void {
    this.socket.close();
  }
}

/** A message of the client's class as it travelled. */
function jsonOf(message: LiveServerMessage): unknown {
  return JSON.parse(JSON.stringify(message));
}

async function opened(socket: WebSocket): Promise<void> {
  await once(socket, 'open');
}
