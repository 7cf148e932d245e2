import { eventFromJson } from './event-from-json.js';
import { Event, type EventFields } from './event.js';

const LEAST = { invocationId: 'e-1', author: 'user', id: 'a1', timestamp: 12.5 };

const EVENTS: Readonly<Record<string, EventFields>> = {
  'an event that says nothing': LEAST,
  'a text': {
    ...LEAST,
    content: { role: 'model', parts: [{ text: 'Hello \u{1f680}' }] },
    branch: 'both.left',
  },
  'a piece': { ...LEAST, content: { role: 'model', parts: [{ text: 'Hel' }] }, partial: true },
  'a call that goes on': {
    ...LEAST,
    content: { role: 'model', parts: [{ functionCall: { id: '1', name: 'book', args: { seats: 2 } } }] },
    longRunningToolIds: ['1'],
  },
  actions: {
    ...LEAST,
    actions: { stateDelta: { a: null, 'user:b': [1] }, artifactDelta: { 'a.txt': 2 }, escalate: true },
  },
  'a rewind': { ...LEAST, actions: { rewindBeforeInvocationId: 'e-0' } },
  'a summary': {
    ...LEAST,
    actions: {
      compaction: {
        startTimestamp: 1.25,
        endTimestamp: 9.5,
        compactedContent: { role: 'user', parts: [{ text: 'S' }] },
      },
    },
    customMetadata: { 'adorn:coveredSeqs': { start: 0, end: 4 } },
  },
  'a fault': {
    ...LEAST,
    errorCode: 'SAFETY',
    errorMessage: 'Blocked.',
    finishReason: 'SAFETY',
    turnComplete: true,
  },
};

describe('eventFromJson', () => {
  it('keeps the fields that other ADKs write, both ways', () => {
    const json = {
      ...LEAST,
      interrupted: true,
      inputTranscription: { text: 'Hi', finished: true },
      outputTranscription: { text: 'Hello' },
      voiceActivity: { voiceActivityType: 'START' },
      liveSessionResumptionUpdate: { newHandle: 'h', resumable: true },
      output: { total: 0 },
      nodeInfo: { path: 'a/b@2', outputFor: ['a'] },
      isolationScope: 'scope',
      route: 'left',
      actions: { agentState: { nodes: { b: { status: 3 } } }, endOfAgent: true, route: 'left' },
    };

    const written: unknown = JSON.parse(JSON.stringify(eventFromJson(json)));

    expect(written).toMatchObject(json);
    expect(JSON.parse(JSON.stringify(new Event(written as EventFields)))).toEqual(written);
  });

  it.each(Object.entries(EVENTS))('reads %s as it was written', (_name, fields) => {
    const event = new Event(fields);

    const read = eventFromJson(JSON.parse(JSON.stringify(event)));

    expect(read).toBeInstanceOf(Event);
    expect(read).toEqual(event);
  });

  it('leaves aside fields that it does not know', () => {
    const read = eventFromJson({
      ...LEAST,
      isFinalResponse: 'no',
      __proto__: { text: 'x' },
    });

    expect(JSON.parse(JSON.stringify(read))).toEqual(JSON.parse(JSON.stringify(new Event(LEAST))));
  });

  it.each<[unknown, string]>([
    [undefined, 'the event must be an object and is absent'],
    [null, 'the event must be an object and is null'],
    ['{}', 'the event must be an object and is a text'],
    [[LEAST], 'the event must be an object and is a list'],
    [{ ...LEAST, invocationId: undefined }, '"invocationId" must be a text and is absent'],
    [{ ...LEAST, author: 1 }, '"author" must be a text and is a number'],
    [{ ...LEAST, id: null }, '"id" must be a text and is absent'],
    [{ ...LEAST, timestamp: '2026-01-01' }, '"timestamp" must be a number and is a text'],
    [{ ...LEAST, groundingMetadata: 'g' }, '"groundingMetadata" must be an object and is a text'],
    [{ ...LEAST, actions: { stateDelta: [] } }, '"actions.stateDelta" must be an object and is a list'],
    [{ ...LEAST, actions: { escalate: 'yes' } }, '"actions.escalate" must be a boolean and is a text'],
  ])('refuses %j, and says what to pass', (json, fault) => {
    expect(faultOf(() => eventFromJson(json))).toMatchObject({
      code: 'EVENT_INVALID',
      message: `This is not an event: ${fault}. Pass what an event's JSON.stringify wrote, or what an ADK server sent.`,
    });
  });

  it('takes null for no rewind, no summary and no delta, as an ADK server may write it', () => {
    const { actions } = eventFromJson({
      ...LEAST,
      actions: { rewindBeforeInvocationId: null, compaction: null, stateDelta: null },
    });

    expect([actions.rewindBeforeInvocationId, actions.compaction, actions.stateDelta]).toEqual([
      undefined,
      undefined,
      {},
    ]);
  });

  it.each([
    { ...LEAST, content: 'Hello' },
    { ...LEAST, actions: true },
    { ...LEAST, actions: { rewindBeforeInvocationId: 7 } },
    { ...LEAST, actions: { compaction: 'S' } },
    { ...LEAST, actions: { compaction: { startTimestamp: 1, endTimestamp: 2 } } },
    { ...LEAST, actions: { compaction: { startTimestamp: 1, compactedContent: {} } } },
    { ...LEAST, actions: { compaction: { startTimestamp: '1', endTimestamp: 2, compactedContent: {} } } },
    {
      ...LEAST,
      actions: { compaction: { startTimestamp: 1, endTimestamp: 2, compactedContent: { parts: 1 } } },
    },
    { ...LEAST, branch: 5 },
    { ...LEAST, partial: 'yes' },
    { ...LEAST, longRunningToolIds: [1] },
    { ...LEAST, nodeInfo: 'a/b' },
    { ...LEAST, actions: { transferToAgent: 5 } },
    { ...LEAST, content: { parts: [{ functionCall: 'look' }] } },
    {},
  ])('refuses %j', (json) => {
    expect(faultOf(() => eventFromJson(json))).toMatchObject({ code: 'EVENT_INVALID' });
  });
});

/** What is thrown; undefined where nothing is. */
function faultOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
