import type { LiveConnection, LiveEvent, LiveSetup } from '@adorn/core/backend';
import { liveWire, startOpenAiRealtimeEmulator } from '@adorn/testing';
import fc from 'fast-check';

import { OpenAiRealtimeModel } from './openai-realtime.model.js';

const SETUP: LiveSetup = {
  instruction: '',
  tools: [],
  backgroundTools: [],
  history: [],
  modality: 'audio',
  transcribe: { input: true, output: true },
  activity: 'automatic',
  config: {},
};

/** Frames with every field that is read. */
const FRAMES: readonly object[] = [
  { type: 'response.created', response: { id: 'r' } },
  { type: 'response.output_audio.delta', item_id: 'i', content_index: 0, delta: 'AAAA' },
  { type: 'response.output_audio_transcript.delta', delta: 'a' },
  { type: 'response.output_text.delta', delta: 'a' },
  { type: 'conversation.item.input_audio_transcription.delta', delta: 'a' },
  { type: 'conversation.item.input_audio_transcription.completed', transcript: 'a' },
  { type: 'input_audio_buffer.speech_started' },
  { type: 'error', error: { code: 'c', message: 'm' } },
  {
    type: 'response.done',
    response: {
      status: 'completed',
      status_details: { reason: 'r', error: { code: 'c', type: 't' } },
      output: [{ type: 'function_call', id: 'i', call_id: 'c', name: 'look', arguments: '{"a":1}' }],
      usage: {
        input_tokens: 1,
        output_tokens: 2,
        total_tokens: 3,
        input_token_details: { cached_tokens: 1 },
      },
    },
  },
  {
    type: 'response.done',
    response: { status: 'failed', status_details: { error: { code: 'c', type: 't' } } },
  },
];

/** One of the frames, with any JSON value in the place of any value in it. */
const changedFrame = fc
  .tuple(fc.constantFrom(...FRAMES), fc.jsonValue({ maxDepth: 2 }), fc.nat())
  .map(([frame, value, place]) => {
    const paths = pathsIn(frame);
    return withValueAt(frame, paths[place % paths.length] ?? [], value);
  });

describe('frames of OpenAI with another shape', () => {
  it.each<[string, object]>([
    ['the bytes of audio', { type: 'response.output_audio.delta', delta: 5 }],
    ['base64', { type: 'response.output_audio.delta', delta: 'a?' }],
    ['the output of an answer', { type: 'response.done', response: { output: [null] } }],
    [
      'the name of a call',
      { type: 'response.done', response: { output: [{ type: 'function_call', name: 7 }] } },
    ],
    ['the usage', { type: 'response.done', response: { usage: { input_tokens: 'x' } } }],
    ['an error', { type: 'error', error: { message: 5 } }],
    ['a text', { type: 'response.output_text.delta', delta: { a: 1 } }],
  ])('end the connection as lost: %s', async (_, frame) => {
    expect(await eventsAfter(frame)).toEqual({
      kind: 'closed',
      clean: false,
      reason: expect.stringContaining('OpenAI sent what cannot be read: the ') as string,
    });
  });

  it.each(['response.created', 'response.done', 'error', 'response.output_audio.delta', '__proto__'])(
    'goes on after an event %s that leaves out all else',
    async (type) => {
      expect(await eventsAfter({ type })).toEqual({ kind: 'closed', clean: true });
    },
  );

  it('end that connection or are read, whatever value stands wherever', async () => {
    await fc.assert(
      fc.asyncProperty(changedFrame, async (frame) => {
        expect(await eventsAfter(frame)).toMatchObject({ kind: 'closed' });
      }),
      { numRuns: 150 },
    );
  }, 60_000);
});

/** The last event of a connection over which a frame came, before the other side closed it. */
async function eventsAfter(frame: unknown): Promise<LiveEvent | undefined> {
  const emulator = await startOpenAiRealtimeEmulator([
    [liveWire.sends(JSON.stringify(frame)), liveWire.closes(1000)],
  ]);
  try {
    const { url } = emulator;
    const model = new OpenAiRealtimeModel({ baseUrl: `${url}/v1`, apiKey: 'key' });
    const signal = new AbortController().signal;
    const connection: LiveConnection = await model.connect(SETUP, { signal, timeout: 5_000 });
    let last: LiveEvent | undefined;
    for await (const event of connection) last = event;
    return last;
  } finally {
    await emulator.close().catch(() => undefined);
  }
}

type Path = readonly (string | number)[];

function pathsIn(value: unknown, path: Path = []): Path[] {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [path, ...entries.flatMap(([key, below]) => pathsIn(below, [...path, key]))];
}

function withValueAt(frame: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  const changed = withValueAt((frame as Record<string, unknown>)[key], rest, value);
  if (Array.isArray(frame)) return frame.with(Number(key), changed);
  return { ...(frame as object), [key]: changed };
}
