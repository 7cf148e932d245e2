import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createRunner, defineAgent, defineTool, type Event } from 'adorn';
import type { LiveModel } from '@adorn/core/backend';
import { GeminiLiveModel } from '@adorn/gemini';
import { OpenAiRealtimeModel } from '@adorn/openai-realtime';

import { liveWire, startGeminiLiveEmulator, startOpenAiRealtimeEmulator } from '../../emulator/index.js';
import { SETUP } from '../../live/live-setup.fixture.js';
import { ScriptedLive } from '../../live/scripted.live.js';
import { refuses, speaks, untilAudio, untilText } from '../../live/live-step.js';
import { ScriptedModel } from '../../scripted/scripted.model.js';
import { recordedLive } from './recorded.live.js';
import type { RecordingOptions } from '../recording-options.js';

const { calls, endsTurn, hearsResults, hearsText } = liveWire;
const KEY = 'a-very-secret-key';

const balance = defineTool({
  name: 'balance_of',
  description: 'The balance of an account.',
  parameters: { type: 'object', properties: { account: { type: 'string' } }, required: ['account'] },
  effect: 'read',
  run: ({ account }) => ({ dollars: String(account).length * 10 }),
});

/** A call with two turns and a call of a tool, on either wire. */
const SCRIPT = [
  [
    hearsText(),
    calls({ name: 'balance_of', args: { account: '7' }, id: 'c1' }),
    hearsResults('c1'),
    liveWire.speaks([Buffer.alloc(960, 1)], 'Ten dollars.'),
    endsTurn(),
    hearsText(),
    liveWire.speaks([Buffer.alloc(480, 2)], 'Good', 'bye.'),
    endsTurn(),
  ],
];

const WIRES = [
  [
    'Gemini',
    startGeminiLiveEmulator,
    (url: string): LiveModel => new GeminiLiveModel({ baseUrl: url, apiKey: KEY, model: 'gemini-live' }),
  ],
  [
    'OpenAI',
    startOpenAiRealtimeEmulator,
    (url: string): LiveModel =>
      new OpenAiRealtimeModel({ baseUrl: `${url}/v1`, apiKey: KEY, model: 'gpt-realtime' }),
  ],
] as const;

/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9';

let folder = '';
let file = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'live-cassette-'));
  file = join(folder, 'call.cassette.json');
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe.each(WIRES)('recordedLive on the wire of %s', (_name, start, modelAt) => {
  it('replays a call with the same events, without a server', async () => {
    const said = await recordCall();

    const model = recordedLive(modelAt(NOWHERE), file, { mode: 'replay' });
    expect(await talk(model)).toEqual(said);
    expect(said).toContainEqual(['desk', 'Ten dollars.']);
    model.assertDone();
  });

  it('replays the same bytes of speech', async () => {
    await using server = await start(SCRIPT);
    const recordedSpeech: number[][] = [];
    await talk(recordedLive(modelAt(server.url), file, { mode: 'record' }), { speech: recordedSpeech });
    const replayedSpeech: number[][] = [];

    await talk(recordedLive(modelAt(NOWHERE), file), { speech: replayedSpeech });

    expect(recordedSpeech.flat()).toHaveLength(960 + 480);
    expect(replayedSpeech.flat()).toEqual(recordedSpeech.flat());
  });

  it('shows how a changed instruction differs from the recorded connection', async () => {
    await recordCall();

    const events = await talk(recordedLive(modelAt(NOWHERE), file), { instruction: 'Be rude.' });

    expect(JSON.stringify(events)).toMatch(/CASSETTE_MISS.*-.*Be kind\..*\+.*Be rude\./);
  });

  it('shows how a text differs from the recorded one, and goes no further', async () => {
    await recordCall();

    const model = recordedLive(modelAt(NOWHERE), file);
    const events = await talk(model, { texts: ['Balance?', 'One more thing.'] });

    expect(JSON.stringify(events)).toMatch(/CASSETTE_MISS.*-.*Thanks\..*\+.*One more thing\./);
    expect(() => {
      model.assertDone();
    }).toThrow('were not asked for: 0');
  });

  it('writes no key, and the words of both sides in a form that a person can read', async () => {
    await recordCall();

    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain(KEY);
    expect(text).toContain('"text": "Balance?"');
    expect(text).toContain('"id": "<call-1>"');
  });

  async function recordCall(): Promise<unknown> {
    await using server = await start(SCRIPT);
    return await talk(recordedLive(modelAt(server.url), file, { mode: 'record' }));
  }
});

describe('recordedLive', () => {
  it('waits for as much speech as was recorded, in whatever chunks', async () => {
    await speak(new ScriptedLive(untilAudio(), speaks('I hear you.')), [640, 640], { mode: 'record' });

    const model = recordedLive(new ScriptedLive(), file, { mode: 'replay' });
    expect(await speak(model, [1_280], {})).toBe('I hear you.');
    model.assertDone();
  });

  it('throws why a connection was not opened', async () => {
    const refusal = Object.assign(new Error('The line is busy.'), { status: 503 });
    const model = recordedLive(new ScriptedLive(refuses(refusal)), file, { mode: 'record' });
    await expect(model.connect(SETUP, OPTIONS)).rejects.toThrow('busy');

    const again = recordedLive(new ScriptedLive(), file);
    await expect(again.connect(SETUP, OPTIONS)).rejects.toMatchObject({
      message: 'The line is busy.',
      status: 503,
    });
  });

  it('takes the connections of one setup in their order, and then says how many there were', async () => {
    const model = recordedLive(new ScriptedLive(speaks('One.'), speaks('Two.')), file, { mode: 'record' });
    (await model.connect(SETUP, OPTIONS)).close();
    (await model.connect(SETUP, OPTIONS)).close();
    await settled();

    const again = recordedLive(new ScriptedLive(), file);
    await again.connect(SETUP, OPTIONS);
    await again.connect(SETUP, OPTIONS);
    await expect(again.connect(SETUP, OPTIONS)).rejects.toMatchObject({
      code: 'CASSETTE_MISS',
      message: expect.stringContaining('is recorded 2 times'),
    });
  });

  it('reports events as slowly as they came, if it is told', async () => {
    await speak(new ScriptedLive(untilText(), speaks('Good day.')), [], { mode: 'record' });
    const stored = JSON.parse(readFileSync(file, 'utf8')) as {
      connections: { frames: { after: number }[] }[];
    };
    for (const frame of stored.connections[0]!.frames) frame.after = 20;
    writeFileSync(file, JSON.stringify(stored));
    const took = async (pace: 'fast' | 'recorded'): Promise<number> => {
      const before = performance.now();
      await speak(recordedLive(new ScriptedLive(), file, { pace }), [], {});
      return performance.now() - before;
    };

    expect(await took('recorded')).toBeGreaterThan(55);
  });

  it.each([
    ['no live model', () => recordedLive({} as never, file), 'RECORDING_OPTION_INVALID', 'Pass a LiveModel'],
    [
      'a file elsewhere',
      () => recordedLive(new ScriptedLive(), new URL('http://a/b')),
      'RECORDING_OPTION_INVALID',
      'recordedLive cannot be used: its file is http://a/b',
    ],
    [
      'a misspelt option',
      () => recordedLive(new ScriptedLive(), file, { mod: 'replay' } as never),
      'RECORDING_OPTION_INVALID',
      'Did you mean mode?',
    ],
  ])('refuses %s', (_what, make, code, words) => {
    const refusal: unknown = expect.objectContaining({ code, message: expect.stringContaining(words) });
    expect(make).toThrow(refusal as Error);
  });

  it.each([
    ['exchanges of a text model', { cassette: 1, exchanges: [] }, 'has no list of connections'],
    [
      'a connection without frames',
      { cassette: 1, connections: [{ setup: {} }] },
      'connection 0 has no setup or no frames',
    ],
    [
      'a frame of nobody',
      { cassette: 1, connections: [{ setup: {}, frames: [{ after: 1 }] }] },
      'connection 0 has no',
    ],
    ['null', null, 'has no "cassette": 1'],
  ])('refuses a file with %s', (_what, content, words) => {
    writeFileSync(file, JSON.stringify(content));

    expect(() => recordedLive(new ScriptedLive(), file)).toThrow(words);
  });
});

const OPTIONS = { signal: new AbortController().signal, timeout: 1_000 };

interface Talk {
  readonly instruction?: string;
  readonly texts?: readonly string[];
  readonly speech?: number[][];
}

/** Says a text at the beginning, and the next one when each turn is over. What was stored, by author and text. */
async function talk(
  model: LiveModel,
  { instruction = 'Be kind.', texts, speech }: Talk = {},
): Promise<unknown> {
  const desk = defineAgent({ name: 'desk', model: new ScriptedModel(), instruction, tools: [balance] });
  await using runner = await createRunner(desk);
  await using live = runner.live({ userId: 'ada', sessionId: 's1', model });
  const left = [...(texts ?? ['Balance?', 'Thanks.'])];
  live.sendText(left.shift() ?? '');
  const stored: Event[] = [];
  for await (const event of live) {
    for (const { inlineData } of event.content?.parts ?? [])
      if (inlineData?.data !== undefined) speech?.push([...Buffer.from(inlineData.data, 'base64')]);
    if (!event.partial) stored.push(event);
    if (event.turnComplete) {
      const next = left.shift();
      if (next === undefined) void live.close();
      else live.sendText(next);
    }
  }
  return stored.map((event) => [
    event.author,
    event.errorCode === undefined ? event.text : `${event.errorCode} ${String(event.errorMessage)}`,
    ...(event.functionCalls.length > 0 ? [event.functionCalls.map(({ args }) => args)] : []),
    ...(event.functionResponses.length > 0 ? [event.functionResponses.map(({ response }) => response)] : []),
  ]);
}

/** Sends chunks of speech, or a text, and gives what the model said until its turn ended. */
async function speak(
  model: LiveModel,
  chunks: readonly number[],
  options: RecordingOptions,
): Promise<string> {
  const recording = options.mode === undefined ? model : recordedLive(model, file, options);
  const connection = await recording.connect(SETUP, OPTIONS);
  if (chunks.length === 0) connection.sendContents([{ role: 'user', parts: [{ text: 'Hello' }] }], true);
  for (const bytes of chunks) connection.sendAudio(new Uint8Array(bytes));
  const said: string[] = [];
  for await (const event of connection) {
    if (event.kind === 'outputTranscript') said.push(event.text);
    if (event.kind === 'turnComplete') connection.close();
  }
  return said.join('');
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}
