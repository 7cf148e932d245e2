import { Event } from '@adorn/core';
import type { EventFields, GetSessionOptions } from '@adorn/core/backend';

import type { OpenSessions } from '../describe-session-service.js';
import { describe, expect, it } from '../test-runner.js';
import { appendAll, KEY, said, textsOf } from './conversation.js';

const EVENTS: Readonly<Record<string, Omit<EventFields, 'invocationId' | 'author'>>> = {
  'an event that says nothing': {},
  'a time with a fraction': { timestamp: 1_718_000_000.123456 },
  'a branch and a last word': { branch: 'both.left', turnComplete: true, finishReason: 'STOP' },
  'text, thoughts and odd characters': {
    content: {
      role: 'model',
      parts: [
        { text: 'Hm.', thought: true, thoughtSignature: 'c2ln' },
        { text: 'line\nbreak \u0000 "q" \u{1f680} \u2028' },
        { text: '' },
      ],
    },
  },
  'bytes and files': {
    content: {
      role: 'user',
      parts: [
        { inlineData: { mimeType: 'image/png', data: Buffer.from([0, 1, 254, 255]).toString('base64') } },
        { fileData: { mimeType: 'text/plain', fileUri: 'gs://bucket/a b' } },
      ],
    },
  },
  'calls, some of which go on': {
    content: {
      role: 'model',
      parts: [
        { functionCall: { id: 'adk-1', name: 'book', args: { seats: [1, 2.5], when: null, note: '' } } },
        { functionCall: { id: 'adk-2', name: 'noop', args: {} } },
      ],
    },
    longRunningToolIds: ['adk-1'],
  },
  responses: {
    content: {
      role: 'user',
      parts: [
        {
          functionResponse: {
            id: 'adk-1',
            name: 'book',
            response: { status: 'pending' },
            willContinue: true,
          },
        },
        { functionResponse: { id: 'adk-2', name: 'noop', response: { result: null } } },
      ],
    },
  },
  'code and its result': {
    content: {
      role: 'model',
      parts: [{ executableCode: { code: 'print(1)' } }, { codeExecutionResult: { output: '1\n' } }],
    },
  },
  'every action': {
    actions: {
      stateDelta: { city: 'Oslo', gone: null, 'user:list': [1, { two: 2 }] },
      artifactDelta: { 'note.txt': 0, 'user:__proto__': 3 },
      requestedAuthConfigs: {
        'adk-1': {
          authScheme: { type: 'apiKey', in: 'header', name: 'x-key' },
          credentialKey: 'weather',
        },
      },
      requestedToolConfirmations: { 'adk-2': { hint: 'Sure?', confirmed: false, payload: { n: 0 } } },
      transferToAgent: 'billing',
      escalate: true,
      skipSummarization: true,
    },
  },
  'a fault': { errorCode: 'SAFETY', errorMessage: 'It was blocked.' },
  'what the model says of itself': {
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4, totalTokenCount: 7 },
    groundingMetadata: {
      webSearchQueries: ['weather oslo'],
      groundingChunks: [{ web: { uri: 'https://example.org/?a=1&b=2', title: 'Oslo' } }],
    },
    citationMetadata: { citations: [{ startIndex: 0, endIndex: 4, uri: 'https://example.org' }] },
    modelVersion: 'gemini-2.5-flash-001',
    customMetadata: { trace: { id: 'abc' }, flags: [true, false] },
  },
};

/** Events are returned unchanged, in the order in which they were appended. */
export function promisesOfEvents(open: OpenSessions): void {
  describe('gives back whole', () => {
    it.each(Object.entries(EVENTS))('%s', async (_name, fields) => {
      const sessions = await open();
      const event = new Event({ invocationId: 'e-1', author: 'clerk', ...fields });
      await sessions.appendEvent(await sessions.createSession(KEY), event);

      const stored = (await sessions.getSession(KEY))?.events;

      expect(stored?.map((found) => found.toJSON())).toEqual([event.toJSON()]);
      expect(stored?.map(viewsOf)).toEqual([viewsOf(event)]);
    });
  });

  it('gives a long event back whole', async () => {
    const sessions = await open();
    const text = 'All work and no play. '.repeat(20_000);
    await sessions.appendEvent(await sessions.createSession(KEY), said(text));

    expect((await sessions.getSession(KEY))?.events[0]?.text).toBe(text);
  });

  it('keeps the order of appending, whatever the times and the ids say', async () => {
    const sessions = await open();
    const events = [said('One', 300), said('Two', 100), said('Three', 200), said('Four', 100)];

    await appendAll(sessions, await sessions.createSession(KEY), events);

    const found = await sessions.getSession(KEY);
    expect(textsOf(found)).toEqual(['One', 'Two', 'Three', 'Four']);
    expect(found?.events.map(({ id, timestamp }) => [id, timestamp])).toEqual(
      events.map(({ id, timestamp }) => [id, timestamp]),
    );
  });
}

/** Derived properties of an event that callers read. */
function viewsOf(event: Event): unknown {
  const { text, functionCalls, functionResponses, isFinalResponse, pending } = event;
  return { text, functionCalls, functionResponses, isFinalResponse, pending };
}

/** Texts `a` to `e` at the places 0 to 4, and not in the order of their times. */
const LOG = [said('a', 100.5), said('b', 300.25), said('c', 200.75), said('d', 300.25), said('e', 400)];

const FILTERS: readonly (readonly [GetSessionOptions, string])[] = [
  [{}, 'abcde'],
  [{ numRecentEvents: 2 }, 'de'],
  [{ numRecentEvents: 5 }, 'abcde'],
  [{ numRecentEvents: 99 }, 'abcde'],
  [{ numRecentEvents: 0 }, ''],
  [{ afterSeq: 0 }, 'bcde'],
  [{ afterSeq: 3 }, 'e'],
  [{ afterSeq: 4 }, ''],
  [{ afterSeq: 99 }, ''],
  [{ afterSeq: -1 }, 'abcde'],
  [{ afterSeq: -3 }, 'abcde'],
  [{ afterTimestamp: 300.25 }, 'bde'],
  [{ afterTimestamp: 300.26 }, 'e'],
  [{ afterTimestamp: 0 }, 'abcde'],
  [{ afterTimestamp: 401 }, ''],
  [{ afterSeq: 1, numRecentEvents: 2 }, 'de'],
  [{ afterSeq: 3, numRecentEvents: 2 }, 'e'],
  [{ afterTimestamp: 200.75, numRecentEvents: 3 }, 'cde'],
  [{ afterTimestamp: 300.25, numRecentEvents: 99 }, 'bde'],
  [{ afterSeq: 1, afterTimestamp: 300.25 }, 'de'],
  [{ afterSeq: 0, afterTimestamp: 200.75, numRecentEvents: 3 }, 'cde'],
  [{ afterSeq: 1, afterTimestamp: 300.25, numRecentEvents: 1 }, 'e'],
];

/** A part of the log; the state and the count stay those of the whole. */
export function promisesOfFilters(open: OpenSessions): void {
  describe('of the events abcde loads', () => {
    it.each(FILTERS)('for %j only "%s"', async (options, expected) => {
      const sessions = await open();
      await appendAll(sessions, await sessions.createSession(KEY, { city: 'Oslo' }), LOG);

      const found = await sessions.getSession(KEY, options);

      expect(textsOf(found)?.join('')).toBe(expected);
      expect(found).toMatchObject({ appName: 'app', userId: 'ada', id: 's1', nextSeq: 5 });
      expect({ ...found?.state }).toEqual({ city: 'Oslo' });
    });
  });

  it('finds no session by any filter where there is none', async () => {
    const sessions = await open();

    expect(await sessions.getSession(KEY, { numRecentEvents: 1, afterSeq: 0 })).toBeUndefined();
  });
}
