import { MAX_JSON_DEPTH } from '@adorn/schema';
import { RARE_FIELDS, type WireFields } from './event-fields.js';
import { Event, eventFromJson, type EventFields } from './event.js';

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

/** A value of each field that other ADKs write. */
const WIRE: Required<WireFields> = {
  interrupted: false,
  inputTranscription: { text: 'Hi' },
  outputTranscription: { text: 'Hello' },
  voiceActivity: { voiceActivityType: 'START' },
  liveSessionResumptionUpdate: { newHandle: 'h' },
  output: 0,
  isolationScope: 'scope',
  route: ['left'],
  urlContextMetadata: { urlMetadata: [{ retrievedUrl: 'https://example.com' }] },
  cacheMetadata: {
    cacheName: 'cachedContents/x1',
    fingerprint: 'f',
    contentsCount: 2,
    invocationsUsed: 1,
    createdAt: 1_700_000_000,
    expireTime: 1_700_001_800,
  },
  live: { kind: 'goAway', timeLeftMs: 1 },
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

  it.each(RARE_FIELDS)('keeps %s where it is the only such field, and drops null', (name) => {
    const fields = { ...LEAST, [name]: WIRE[name] };

    const made = new Event(fields);

    expect(made[name]).toBe(WIRE[name]);
    expect(made.toJSON()[name]).toBe(WIRE[name]);
    expect(eventFromJson(fields)[name]).toBe(WIRE[name]);
    expect(name in eventFromJson({ ...LEAST, [name]: null })).toBe(false);
    expect(name in new Event({ ...LEAST, [name]: null })).toBe(false);
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

  it.each([
    ['invocationId', 'a text'],
    ['author', 'a text'],
    ['id', 'a text'],
    ['timestamp', 'a number'],
    ['content', 'an object'],
    ['actions', 'an object'],
    ['longRunningToolIds', 'a list'],
    ['branch', 'a text'],
    ['partial', 'a boolean'],
    ['turnComplete', 'a boolean'],
    ['finishReason', 'a text'],
    ['errorCode', 'a text'],
    ['errorMessage', 'a text'],
    ['modelVersion', 'a text'],
    ['usageMetadata', 'an object'],
    ['groundingMetadata', 'an object'],
    ['citationMetadata', 'an object'],
    ['customMetadata', 'an object'],
    ['interrupted', 'a boolean'],
    ['inputTranscription', 'an object'],
    ['outputTranscription', 'an object'],
    ['voiceActivity', 'an object'],
    ['liveSessionResumptionUpdate', 'an object'],
    ['nodeInfo', 'an object'],
    ['isolationScope', 'a text'],
    ['actions.stateDelta', 'an object'],
    ['actions.artifactDelta', 'an object'],
    ['actions.requestedAuthConfigs', 'an object'],
    ['actions.requestedToolConfirmations', 'an object'],
    ['actions.transferToAgent', 'a text'],
    ['actions.escalate', 'a boolean'],
    ['actions.skipSummarization', 'a boolean'],
    ['actions.rewindBeforeInvocationId', 'a text'],
    ['actions.endOfAgent', 'a boolean'],
    ['actions.agentState', 'an object'],
    ['actions.compaction', 'an object'],
    ['actions.compaction.startTimestamp', 'a number'],
    ['actions.compaction.endTimestamp', 'a number'],
    ['actions.compaction.compactedContent', 'an object'],
  ])('refuses %s of another kind than %s, and names it', (field, wanted) => {
    const [wrong, found] = wanted === 'a list' ? ['1', 'a text'] : [[1], 'a list'];

    expect(faultOf(() => eventFromJson(withField(field, wrong)))).toMatchObject({
      code: 'EVENT_INVALID',
      message: expect.stringContaining(`"${field}" must be ${wanted} and is ${found}.`) as unknown,
    });
  });

  it('names the list of which an id is no text', () => {
    expect(faultOf(() => eventFromJson({ ...LEAST, longRunningToolIds: ['1', 2] }))).toMatchObject({
      message: expect.stringContaining(
        'an id of "longRunningToolIds" must be a text and is a number.',
      ) as unknown,
    });
  });

  it.each([
    'usageMetadata',
    'groundingMetadata',
    'citationMetadata',
    'customMetadata',
    'nodeInfo',
    'output',
    'route',
    'actions.stateDelta',
    'actions.agentState',
    'actions.route',
    'actions.compaction',
  ])('refuses %s that JSON cannot hold, and names it', (field) => {
    expect(faultOf(() => eventFromJson(withField(field, { late: new Date(0) })))).toMatchObject({
      code: 'EVENT_INVALID',
      message: expect.stringContaining(
        `"${field}" must be JSON of at most ${String(MAX_JSON_DEPTH)} levels and is another value.`,
      ) as unknown,
    });
  });

  it.each([
    ['content', '"content.parts"'],
    ['actions.compaction.compactedContent', '"content.parts"'],
  ])('names the faulty field of the content in %s', (field, named) => {
    expect(faultOf(() => eventFromJson(withField(field, { parts: 1 })))).toMatchObject({
      message: expect.stringContaining(`${named} must be a list and is a number.`) as unknown,
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

/** An event with one field of that value; dots lead into its actions. */
function withField(field: string, value: unknown): Record<string, unknown> {
  const [first = '', second, third] = field.split('.');
  if (second === undefined) return { ...LEAST, [first]: value };
  if (third === undefined) return { ...LEAST, [first]: { [second]: value } };
  const compaction = { startTimestamp: 1, endTimestamp: 2, compactedContent: {}, [third]: value };
  return { ...LEAST, [first]: { [second]: compaction } };
}

/** What is thrown; undefined where nothing is. */
function faultOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
