import type { LiveEvent, LiveModel } from '@adorn/core/backend';
import { GeminiLiveModel } from '@adorn/gemini';
import { OpenAiRealtimeModel } from '@adorn/openai-realtime';
import {
  type LiveEmulator,
  type LiveScript,
  startGeminiLiveEmulator,
  startOpenAiRealtimeEmulator,
} from '@adorn/testing';

import { ConnectionReader } from './connection-reader.js';
import type { LiveScenario } from './live-scenarios.js';

/** A provider of live models, and the emulator of its wire. */
export interface LiveProvider {
  readonly name: string;
  readonly start: (script: LiveScript) => Promise<LiveEmulator>;
  readonly model: (url: string) => LiveModel;
}

const KEY = 'the-key-of-a-test';

/** The first one is the one to which the others are compared. */
export const LIVE_PROVIDERS: readonly LiveProvider[] = [
  {
    name: 'Gemini',
    start: startGeminiLiveEmulator,
    model: (baseUrl) => new GeminiLiveModel({ baseUrl, apiKey: KEY, vertexai: false }),
  },
  {
    name: 'Gemini, Vertex AI',
    start: startGeminiLiveEmulator,
    model: (baseUrl) => new GeminiLiveModel({ baseUrl, apiKey: KEY, vertexai: true }),
  },
  {
    name: 'OpenAI Realtime',
    start: startOpenAiRealtimeEmulator,
    model: (url) => new OpenAiRealtimeModel({ baseUrl: `${url}/v1`, apiKey: KEY }),
  },
];

/** The events of a scenario on one wire, in the form in which they are compared. */
export async function playLiveScenario(provider: LiveProvider, scenario: LiveScenario): Promise<object[]> {
  const emulator = await provider.start([scenario.steps]);
  try {
    const connection = await provider.model(emulator.url).connect(
      {
        instruction: 'Be brief.',
        tools: [{ functionDeclarations: [{ name: 'now' }, { name: 'zone' }] }],
        backgroundTools: [],
        history: [],
        modality: scenario.modality ?? 'audio',
        transcribe: { input: true, output: true },
        activity: scenario.activity ?? 'automatic',
        config: {},
      },
      { signal: new AbortController().signal, timeout: 10_000 },
    );
    const reader = new ConnectionReader(connection, (event) => scenario.react?.(connection, event));
    scenario.begin(connection);
    return comparable(await reader.untilEnd());
  } finally {
    await emulator.close();
  }
}

/**
 * Pieces of one kind are joined, because providers cut what is said as they like; an utterance may be told to be complete,
 * or not.
 */
function comparable(events: readonly LiveEvent[]): object[] {
  return events.reduce<Piece[]>((joined, event) => {
    const next = pieceOf(event);
    const last = joined.at(-1);
    if (!next) return joined;
    if (!last || !('piece' in last) || !('piece' in next) || last.kind !== next.kind)
      return [...joined, next];
    return [...joined.slice(0, -1), { ...next, piece: `${last.piece}${next.piece}` }];
  }, []);
}

type Piece =
  | { readonly kind: string; readonly piece: string }
  | { readonly kind: string; readonly activity?: 'start' | 'end' };

function pieceOf(event: LiveEvent): Piece | undefined {
  switch (event.kind) {
    case 'audio':
      return { kind: 'audio', piece: Buffer.from(event.data).toString('hex') };
    case 'text':
    case 'inputTranscript':
    case 'outputTranscript':
      return event.text === '' ? undefined : { kind: event.kind, piece: event.text };
    case 'speech':
      // Some providers name what was said.
      return { kind: event.kind, activity: event.activity };
    default:
      return event;
  }
}
