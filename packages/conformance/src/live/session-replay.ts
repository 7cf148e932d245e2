import { setImmediate } from 'node:timers/promises';

import type { Event, FunctionCall } from '@adorn/core';
import type { LiveSession } from '@adorn/core/backend';
import { GeminiLiveModel } from '@adorn/gemini';
import {
  type HeardResult,
  type LiveEmulatorConnection,
  type LiveJson,
  type RecordedFrame,
  replaysConversation,
  ScriptedModel,
  startGeminiLiveEmulator,
} from '@adorn/testing';
import { createRunner, defineAgent, FunctionTool, type ToolContext } from 'adorn';

import type { Check } from '../check.js';
import { findDifference } from '../find-difference.js';
import { kindsIn, recordedSummary } from './conversation-summary.js';
import { optionsOf, type RecordedConversation, setupOf } from './recorded-conversation.js';
import { mediaIn } from './sent-messages.js';
import { SessionReader } from './session-reader.js';

/** What was found in one recorded conversation that a live session has held. */
export interface SessionChecks {
  /** What the reader of the session has seen, and what was stored. */
  readonly said: Check;
  /** Every call was stored under its id; those with a recorded response got it, the others were stopped, not answered. */
  readonly calls: Check;
}

/** True if a session can hold the conversation: a session answers calls only, and responses to other things it never sends. */
export function isOfSession({ frames }: RecordedConversation): boolean {
  const called = recordedSummary(jsonOf(frames, 'server')).calls as readonly FunctionCall[];
  return resultsIn(frames).every(({ id }) => called.some((call) => call.id === id));
}

/** Holds a recorded conversation by `runner.live`, with tools that answer as it was recorded. */
export async function checkSession(conversation: RecordedConversation): Promise<SessionChecks> {
  const what = conversation.path;
  try {
    const held = await hold(conversation);
    return {
      said: { what, fault: findDifference(expectedWords(conversation), wordsOf(held)) },
      calls: { what, fault: findDifference(expectedCalls(conversation), callsOf(held)) },
    };
  } catch (error) {
    const check = { what, fault: error instanceof Error ? error.message : String(error) };
    return { said: check, calls: check };
  }
}

interface Held {
  readonly events: readonly Event[];
  readonly stored: readonly Event[];
  readonly stopped: readonly string[];
  readonly server: LiveEmulatorConnection;
}

async function hold(conversation: RecordedConversation): Promise<Held> {
  const { frames } = conversation;
  const emulator = await startGeminiLiveEmulator([replaysConversation(frames)]);
  const stopped: string[] = [];
  try {
    const Agent = defineAgent({
      name: 'recorded',
      tools: toolsOf(conversation, (id) => stopped.push(id)),
    });
    await using runner = await createRunner(Agent, { model: new ScriptedModel() });
    const { modality, transcribe, activity } = setupOf(conversation);
    const model = new GeminiLiveModel(optionsOf(conversation, emulator.url));
    const live = runner.live({ sessionId: 'recorded', model, modality, transcribe, activity });
    const reader = new SessionReader(live);
    await reader.until(() => reader.events.some((event) => event.live?.kind === 'connected'), 'a connection');
    await drive(live, reader, frames);
    // A call that is stopped before its tool has begun does not run it.
    await setImmediate();
    await live.close();
    await reader.untilEnd();
    const key = { appName: runner.appName, userId: 'user', sessionId: 'recorded' };
    const stored = (await runner.sessions.getSession(key))?.events ?? [];
    return {
      events: reader.events,
      stored,
      stopped,
      server: emulator.connections[0] as LiveEmulatorConnection,
    };
  } finally {
    await emulator.close();
  }
}

/** Sends each message of the client once the reader has seen what the server had said before it. */
async function drive(
  live: LiveSession,
  reader: SessionReader,
  frames: readonly RecordedFrame[],
): Promise<void> {
  let expected = 0;
  for (const { from, text } of frames.slice(1)) {
    const json = JSON.parse(text) as LiveJson;
    if (from === 'server') {
      expected += kindsIn(json as Parameters<typeof kindsIn>[0]).filter((kind) => SHOWN.has(kind)).length;
    } else {
      await reader.untilShown(expected);
      send(live, json);
    }
  }
  await reader.untilShown(expected);
}

/** The kinds of events of which a reader of a session sees one each. */
const SHOWN: ReadonlySet<string> = new Set([
  'audio',
  'text',
  'inputTranscript',
  'outputTranscript',
  'toolCall',
  'interrupted',
  'turnComplete',
]);

function send(live: LiveSession, json: LiveJson): void {
  const { clientContent, realtimeInput } = json as Readonly<Record<string, LiveJson | undefined>>;
  if (clientContent) {
    const turns = (clientContent['turns'] ?? []) as readonly {
      readonly parts?: readonly { text?: string }[];
    }[];
    const text = turns.flatMap(({ parts = [] }) => parts.map(({ text: words = '' }) => words)).join('');
    if (clientContent['turnComplete'] === true) live.sendText(text);
    else live.steer(text);
  }
  if (!realtimeInput) return;
  for (const { data, mimeType } of mediaIn(realtimeInput)) {
    if (mimeType.startsWith('image/')) live.sendVideo(data, mimeType);
    else void live.sendAudio(data);
  }
  if (typeof realtimeInput['text'] === 'string') live.sendText(realtimeInput['text']);
  if (realtimeInput['activityStart'] !== undefined) live.sendActivity('start');
  if (realtimeInput['activityEnd'] !== undefined) live.sendActivity('end');
  if (realtimeInput['audioStreamEnd'] === true) live.endAudio();
}

/** The recorded functions. A call whose response was not recorded runs until it is stopped. */
function toolsOf(conversation: RecordedConversation, stop: (id: string) => void): FunctionTool[] {
  const results = resultsIn(conversation.frames);
  const declared = setupOf(conversation).tools.flatMap((tool) =>
    'functionDeclarations' in tool ? (tool.functionDeclarations ?? []) : [],
  );
  return declared.map(
    ({ name = '', description = name, parametersJsonSchema = { type: 'object' } }) =>
      new FunctionTool({
        name,
        description,
        parameters: parametersJsonSchema as { type: 'object' },
        run: (_args: unknown, { functionCallId, signal }: ToolContext) =>
          results.find(({ id }) => id === functionCallId)?.response ??
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              stop(functionCallId);
              reject(signal.reason as Error);
            });
          }),
      }),
  );
}

function expectedWords({ frames }: RecordedConversation): object {
  const messages = jsonOf(frames, 'server');
  const { text, audio, inputTranscript, outputTranscript, order } = recordedSummary(messages);
  const interrupted = order.includes('interrupted');
  return {
    text,
    audio,
    inputTranscript,
    outputTranscript,
    interrupted,
    // How much of an interrupted answer is stored depends on how much was played.
    stored: interrupted ? undefined : turnsOf(messages),
    error: undefined,
  };
}

/** What the model says in each turn; calls end a part of it. */
function turnsOf(messages: readonly LiveJson[]): string[] {
  const turns: LiveJson[][] = [[]];
  for (const message of messages) {
    turns.at(-1)?.push(message);
    const kinds = kindsIn(message as Parameters<typeof kindsIn>[0]);
    if (kinds.includes('turnComplete') || kinds.includes('toolCall')) turns.push([]);
  }
  return turns
    .map((turn) => recordedSummary(turn))
    .map(({ text, outputTranscript }) => `${text}${outputTranscript}`.trim())
    .filter((text) => text !== '');
}

function wordsOf({ events, stored }: Held): object {
  const pieces = events.filter(({ partial }) => partial);
  const transcript = (field: 'inputTranscription' | 'outputTranscription'): string =>
    pieces.map((event) => (event[field] as { readonly text?: string } | undefined)?.text ?? '').join('');
  const interrupted = events.some((event) => event.interrupted === true);
  const said = stored.filter(({ author, text }) => author !== 'user' && text !== '');
  return {
    text: pieces.map(({ text }) => text).join(''),
    audio: Buffer.concat(pieces.flatMap(({ audio }) => audio ?? [])).toString('base64'),
    inputTranscript: transcript('inputTranscription'),
    outputTranscript: transcript('outputTranscription'),
    interrupted,
    stored: interrupted ? undefined : said.map(({ text }) => text),
    error: events.find(({ errorCode }) => errorCode !== undefined)?.errorMessage,
  };
}

function expectedCalls({ frames }: RecordedConversation): object {
  const calls = recordedSummary(jsonOf(frames, 'server')).calls as readonly FunctionCall[];
  const results = resultsIn(frames).map(({ id, name, response }) => ({ id, name, response }));
  const stopped = calls.map(({ id }) => id).filter((id) => !results.some((result) => result.id === id));
  return { calls, results, stopped, answered: calls.map(({ id }) => id) };
}

function callsOf({ stored, stopped, server }: Held): object {
  return {
    calls: stored.flatMap(({ functionCalls }) => functionCalls),
    results: server.heard.flatMap((message) =>
      message.kind === 'results' ? message.results.map(plain) : [],
    ),
    stopped,
    answered: stored.flatMap(({ functionResponses }) => functionResponses.map(({ id }) => id)),
  };
}

function plain({ id, name, response }: HeardResult): object {
  return { id, name, response };
}

interface RecordedResult {
  readonly id?: string;
  readonly name?: string;
  readonly response?: LiveJson;
}

function resultsIn(frames: readonly RecordedFrame[]): readonly RecordedResult[] {
  return jsonOf(frames, 'client').flatMap(
    ({ toolResponse }) =>
      ((toolResponse as LiveJson | undefined)?.['functionResponses'] as RecordedResult[] | undefined) ?? [],
  );
}

function jsonOf(frames: readonly RecordedFrame[], side: 'client' | 'server'): LiveJson[] {
  return frames.filter(({ from }) => from === side).map(({ text }) => JSON.parse(text) as LiveJson);
}
