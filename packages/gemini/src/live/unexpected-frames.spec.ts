import type { LiveConnection, LiveEvent, LiveSetup } from '@adorn/core/backend';
import { liveWire, startGeminiLiveEmulator } from '@adorn/testing';
import fc from 'fast-check';

import { GeminiLiveModel } from './gemini-live.model.js';

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
  {
    serverContent: {
      modelTurn: {
        role: 'model',
        parts: [{ text: 'a', thought: true }, { inlineData: { mimeType: 'audio/pcm', data: 'AAAA' } }],
      },
      inputTranscription: { text: 'b', finished: true },
      outputTranscription: { text: 'c' },
      groundingMetadata: { groundingChunks: [{ web: { uri: 'u' } }], webSearchQueries: ['q'] },
      interrupted: true,
      generationComplete: true,
      turnComplete: true,
    },
    usageMetadata: { totalTokenCount: 3, responseTokenCount: 1, responseTokensDetails: [{ tokenCount: 1 }] },
  },
  { toolCall: { functionCalls: [{ id: 'c', name: 'look', args: { a: 1 } }] } },
  { toolCallCancellation: { ids: ['c'] } },
  { sessionResumptionUpdate: { newHandle: 'h', resumable: true } },
  { goAway: { timeLeft: '9.5s' } },
  {
    voiceActivity: { voiceActivityType: 'ACTIVITY_START' },
    voiceActivityDetectionSignal: { vadSignalType: 'EOS' },
  },
  { setupComplete: { sessionId: 's' } },
];

/** One of the frames, with any JSON value in the place of any value in it. */
const changedFrame = fc
  .tuple(fc.constantFrom(...FRAMES), fc.jsonValue({ maxDepth: 2 }), fc.nat())
  .map(([frame, value, place]) => {
    const paths = pathsIn(frame);
    return withValueAt(frame, paths[place % paths.length] ?? [], value);
  });

describe('frames of Gemini with another shape', () => {
  it.each<[string, object]>([
    ['the parts of a turn', { serverContent: { modelTurn: { parts: 5 } } }],
    ['a call', { toolCall: { functionCalls: [null] } }],
    [
      'a MIME type',
      { serverContent: { modelTurn: { parts: [{ inlineData: { mimeType: 5, data: 'AA' } }] } } },
    ],
    ['the bytes of audio', { serverContent: { modelTurn: { parts: [{ inlineData: { data: 'a?' } }] } } }],
    ['a transcript', { serverContent: { outputTranscription: { text: 7 } } }],
    ['the usage', { usageMetadata: { totalTokenCount: 'x' } }],
    ['the time that is left', { goAway: { timeLeft: {} } }],
  ])('end the connection as lost: %s', async (_, frame) => {
    expect(await eventsAfter(frame)).toEqual({
      kind: 'closed',
      clean: false,
      reason: expect.stringContaining('Gemini sent what cannot be read: the ') as string,
    });
  });

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
  const emulator = await startGeminiLiveEmulator([
    [liveWire.sends(JSON.stringify(frame)), liveWire.closes(1000)],
  ]);
  try {
    const { url } = emulator;
    const model = new GeminiLiveModel({ baseUrl: url, apiKey: 'key' });
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
