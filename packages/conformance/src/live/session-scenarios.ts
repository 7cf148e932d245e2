import { setImmediate } from 'node:timers/promises';

import type { Event } from '@adorn/core';
import type { LiveSession } from '@adorn/core/backend';
import { type LiveWireStep, liveWire, ScriptedModel, wavMicrophone } from '@adorn/testing';
import { createRunner, defineAgent, FunctionTool, type ToolContext } from 'adorn';

import type { Check } from '../check.js';
import { findDifference } from '../find-difference.js';
import type { LiveProvider } from './play-live-scenario.js';
import { SessionReader } from './session-reader.js';
import { withSpokenFile } from './spoken-file.js';

/** A conversation that a live session holds on the wire of each provider, and what comes of it. */
interface SessionScenario {
  readonly name: string;
  readonly steps: readonly LiveWireStep[];
  /** What the user does, step by step. */
  readonly play: (live: LiveSession, reader: SessionReader) => Promise<void>;
  /** What is shown and stored, on every wire. */
  readonly expected: readonly string[];
}

const {
  calls,
  detectsVoice,
  drops,
  endsTurn,
  hearsAudio,
  hearsResults,
  hearsText,
  isInterrupted,
  speaks,
  transcribes,
} = liveWire;

const PIECES = [Buffer.from([1, 2, 3, 4]), Buffer.from([5, 6])];
const FOREVER = 'wait_forever';
/** Seconds of a spoken file, the bytes that a wire of 16,000 samples hears of it, and what it is read at where that is not the wire's. */
const SPOKEN_S = 0.5;
const SPOKEN_BYTES = 16_000 * 2 * SPOKEN_S * 0.95;
const FILE_RATE = 8_000;

const SCENARIOS: readonly SessionScenario[] = [
  {
    name: 'speech, answered by speech',
    steps: [
      hearsAudio(640),
      detectsVoice('start'),
      detectsVoice('end'),
      transcribes('Hel', 'lo?'),
      speaks(PIECES, 'Good', ' day.'),
      endsTurn(),
    ],
    play: async (live, reader) => {
      await live.sendAudio(new Uint8Array(640));
      await turnEnd(reader);
    },
    expected: ['audio 010203040506', 'user: Hello?', 'desk: Good day.', 'end'],
  },
  {
    name: 'a WAV file in two halves, read in its transcript: a question, a call, and thanks',
    steps: [
      hearsAudio(SPOKEN_BYTES),
      detectsVoice('start'),
      detectsVoice('end'),
      transcribes('When does', ' it come?'),
      calls({ name: 'now', args: { zone: 'UTC' }, id: 'a' }),
      hearsResults('a'),
      speaks(PIECES, 'It comes', ' at noon.'),
      endsTurn(),
      hearsAudio(SPOKEN_BYTES),
      detectsVoice('start'),
      detectsVoice('end'),
      transcribes('Thank you.'),
      speaks(PIECES, 'Goodbye.'),
      endsTurn(),
    ],
    play: (live, reader) =>
      withSpokenFile(SPOKEN_S, async (path) => {
        const rate = live.inputRate;
        await live.sendAudio(wavMicrophone(path, { rate }), { rate });
        await turnEnd(reader);
        await live.sendAudio(wavMicrophone(path, { rate: FILE_RATE }), { rate: FILE_RATE });
        await turnEnd(reader, 2);
      }),
    expected: [
      'audio 010203040506010203040506',
      'user: When does it come?',
      'desk → now {"zone":"UTC"} a',
      'desk ← a {"zone":"UTC"}',
      'desk: It comes at noon.',
      'user: Thank you.',
      'desk: Goodbye.',
      'end',
    ],
  },
  {
    name: 'two calls of one tool at once, each answered under its id',
    steps: [
      hearsText(),
      calls({ name: 'now', args: { zone: 'UTC' }, id: 'a' }, { name: 'now', args: { zone: 'CET' }, id: 'b' }),
      hearsResults('a', 'b'),
      speaks(PIECES, 'Noon.'),
      endsTurn(),
    ],
    play: async (live, reader) => {
      live.sendText('What time?');
      await turnEnd(reader);
    },
    expected: [
      'audio 010203040506',
      'user: What time?',
      'desk → now {"zone":"UTC"} a, now {"zone":"CET"} b',
      'desk ← a {"zone":"UTC"}',
      'desk ← b {"zone":"CET"}',
      'desk: Noon.',
      'end',
    ],
  },
  {
    name: 'a tool that runs when the session is closed is stopped, and not answered',
    steps: [hearsText(), calls({ name: FOREVER, id: 'a' })],
    play: async (live, reader) => {
      live.sendText('Wait.');
      await reader.until(() => reader.events.some(({ functionCalls }) => functionCalls.length > 0), 'a call');
    },
    expected: ['stopped a', 'user: Wait.', `desk → ${FOREVER} {} a`, 'desk ← a error', 'end'],
  },
  {
    name: 'an answer that the user interrupts',
    steps: [
      hearsAudio(640),
      detectsVoice('start'),
      detectsVoice('end'),
      speaks(PIECES, 'Good'),
      detectsVoice('start'),
      isInterrupted(),
      detectsVoice('end'),
    ],
    play: async (live, reader) => {
      await live.sendAudio(new Uint8Array(640));
      await reader.until(
        () => reader.events.some(({ interrupted }) => interrupted === true),
        'an interruption',
      );
    },
    expected: ['audio 010203040506', 'interrupted', 'end'],
  },
  {
    name: 'a lost connection that cannot be opened again is an event',
    steps: [hearsText(), drops()],
    play: async (live, reader) => {
      live.sendText('Hello?');
      await reader.until(() => reader.events.some(({ errorCode }) => errorCode !== undefined), 'an error');
    },
    expected: ['disconnected', 'user: Hello?', 'desk ! MODEL_', 'end'],
  },
];

/** Holds the scenarios by live sessions on the wire of a provider. */
export async function checkSessionScenarios(provider: LiveProvider): Promise<Check[]> {
  const checks: Check[] = [];
  for (const scenario of SCENARIOS) {
    const what = `${scenario.name}, by ${provider.name}`;
    try {
      checks.push({ what, fault: findDifference(scenario.expected, await hold(provider, scenario)) });
    } catch (error) {
      checks.push({ what, fault: error instanceof Error ? error.message : String(error) });
    }
  }
  return checks;
}

async function hold(provider: LiveProvider, scenario: SessionScenario): Promise<string[]> {
  const emulator = await provider.start((_connection, index) =>
    index === 0 ? scenario.steps : [liveWire.refuses(503)],
  );
  const stopped: string[] = [];
  try {
    const Desk = defineAgent({ name: 'desk', tools: toolsOf((id) => stopped.push(`stopped ${id}`)) });
    await using runner = await createRunner(Desk, { model: new ScriptedModel() });
    const live = runner.live({ sessionId: 'call', model: provider.model(emulator.url), reconnectLimit: 0 });
    const reader = new SessionReader(live);
    await scenario.play(live, reader);
    // A call that is stopped before its tool has begun does not run it.
    await setImmediate();
    await live.close();
    await reader.untilEnd();
    const session = await runner.sessions.getSession({
      appName: runner.appName,
      userId: 'user',
      sessionId: 'call',
    });
    const stored = (session?.events ?? []).flatMap(lineOf);
    return [
      ...shown(reader.events),
      ...stopped,
      ...stored,
      session?.lastRun?.status === 'ended' ? 'end' : 'open',
    ];
  } finally {
    await emulator.close();
  }
}

function toolsOf(stop: (id: string) => void): FunctionTool[] {
  const parameters = { type: 'object', properties: { zone: { type: 'string' } } } as const;
  return [
    new FunctionTool({ name: 'now', description: 'The time.', parameters, run: (args) => args }),
    new FunctionTool({
      name: FOREVER,
      description: 'Waits.',
      run: (_args: unknown, { functionCallId, signal }: ToolContext) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            stop(functionCallId);
            reject(signal.reason as Error);
          });
        }),
    }),
  ];
}

/** What is never stored: speech joined, interruptions, and the loss of the connection. */
function shown(events: readonly Event[]): string[] {
  const audio = Buffer.concat(events.flatMap((event) => event.audio ?? [])).toString('hex');
  const lines = audio === '' ? [] : [`audio ${audio}`];
  if (events.some(({ partial, interrupted }) => partial && interrupted === true)) lines.push('interrupted');
  if (events.some(({ live }) => live?.kind === 'disconnected')) lines.push('disconnected');
  return lines;
}

/** A stored event in a line. What was heard of an interrupted answer depends on the time, and is left out. */
function lineOf({ author, text, functionCalls, functionResponses, errorCode, interrupted }: Event): string[] {
  if (interrupted === true) return [];
  const called = functionCalls.map(
    ({ name = '', args = {}, id = '' }) => `${name} ${JSON.stringify(args)} ${id}`,
  );
  if (called.length > 0) return [`${author} → ${called.join(', ')}`];
  if (functionResponses.length > 0)
    return functionResponses.map(({ id = '', response = {} }) => {
      return `${author} ← ${id} ${'error' in response ? 'error' : JSON.stringify(response)}`;
    });
  if (errorCode !== undefined) return [`${author} ! ${errorCode.replace(/[^_]*$/, '')}`];
  return text === '' ? [] : [`${author}: ${text}`];
}

/** @param turns how many turns of the model have ended. Default: 1 */
function turnEnd(reader: SessionReader, turns = 1): Promise<void> {
  const isEnd = ({ author, partial, turnComplete, text }: Event): boolean =>
    author !== 'user' && !partial && turnComplete && text !== '';
  return reader.until(() => reader.events.filter(isEnd).length >= turns, 'the end of a turn');
}
