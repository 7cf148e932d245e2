import { NO_ACTIONS } from './event-actions.js';
import { Event, type EventFields } from './event.js';

describe('Event', () => {
  it('fills in what was not said', () => {
    const before = Date.now() / 1000;

    const event = new Event({ invocationId: 'e-1', author: 'clerk' });

    expect(event.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(event.timestamp).toBeGreaterThanOrEqual(before);
    expect(event.timestamp).toBeLessThanOrEqual(Date.now() / 1000);
    expect(event).toMatchObject({ longRunningToolIds: [], partial: false, turnComplete: false });
    expect([event.content, event.branch, event.errorCode, event.customMetadata]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect([event.text, event.functionCalls, event.functionResponses, event.pending]).toEqual([
      '',
      [],
      [],
      [],
    ]);
  });

  it('is copied with other values of some fields, and stays as it is', () => {
    const event = new Event({
      ...{ invocationId: 'e-1', author: 'clerk', id: 'event-1', timestamp: 7 },
      content: { role: 'model', parts: [{ text: 'Hi.' }] },
      customMetadata: { kept: true },
    });

    const copy = event.with({ content: { role: 'model', parts: [{ text: 'Hello.' }] } });

    expect(copy).toBeInstanceOf(Event);
    expect([copy.id, copy.timestamp, copy.text, copy.customMetadata]).toEqual([
      'event-1',
      7,
      'Hello.',
      { kept: true },
    ]);
    expect(event.text).toBe('Hi.');
  });

  it('shares one frozen object of actions with all events that do nothing', () => {
    const [one, two] = [
      new Event({ invocationId: 'e-1', author: 'a' }),
      new Event({ invocationId: 'e-2', author: 'b' }),
    ];

    expect(one.actions).toBe(NO_ACTIONS);
    expect(two.actions).toBe(NO_ACTIONS);
    expect([NO_ACTIONS, ...Object.values(NO_ACTIONS)].every((actions) => Object.isFrozen(actions))).toBe(
      true,
    );
  });

  it('has no field of the wire form that it was not given, nor one that is null', () => {
    const fields = { invocationId: 'e-1', author: 'a', interrupted: undefined, output: null };

    const event = new Event(fields);

    expect(['interrupted', 'output', 'route'].filter((name) => name in event)).toEqual([]);
  });

  it('takes null for absent, as a row of a table may hold it', () => {
    const row = { invocationId: 'e-1', author: 'a', actions: null, longRunningToolIds: null };

    const event = new Event(row as unknown as EventFields);

    expect([event.actions, event.longRunningToolIds]).toEqual([NO_ACTIONS, []]);
  });

  it('completes actions that say a part', () => {
    const { actions } = new Event({ invocationId: 'e-1', author: 'a', actions: { escalate: true } });

    expect(actions).toEqual({
      stateDelta: {},
      artifactDelta: {},
      requestedAuthConfigs: {},
      requestedToolConfirmations: {},
      escalate: true,
    });
  });

  it('takes null for an action that was not said', () => {
    const names = [
      'transferToAgent',
      'escalate',
      'skipSummarization',
      'rewindBeforeInvocationId',
      'agentState',
      'endOfAgent',
      'route',
      'compaction',
    ] as const;
    const actions = Object.fromEntries(names.map((name) => [name, null])) as object;

    const event = new Event({ invocationId: 'e-1', author: 'a', actions });

    expect(names.map((name) => event.actions[name])).toEqual(names.map(() => undefined));
  });

  it('keeps a summary as it came where its content is clean', () => {
    const compaction = {
      startTimestamp: 1,
      endTimestamp: 2,
      compactedContent: { role: 'user', parts: [{ text: 'S' }] },
    };

    const event = new Event({ invocationId: 'e-1', author: 'a', actions: { compaction } });

    expect(event.actions.compaction).toBe(compaction);
  });

  it.each([
    ['is absent', undefined, { parts: [] }],
    ['is null', null, { parts: [] }],
    ['is no content', 'S', { parts: [] }],
    ['holds a null', { role: null, parts: [{ text: 'S' }] }, { parts: [{ text: 'S' }] }],
  ])('reads a summary whose content %s, and keeps its times', (_what, compactedContent, read) => {
    const compaction = { startTimestamp: 1, endTimestamp: 2, compactedContent };
    const fields = { invocationId: 'e-1', author: 'a', actions: { compaction } } as unknown as EventFields;

    expect(new Event(fields).actions.compaction).toStrictEqual({
      startTimestamp: 1,
      endTimestamp: 2,
      compactedContent: read,
    });
  });

  it('takes when and where it happened beside what it says', () => {
    const body = { author: 'clerk', content: { role: 'model', parts: [{ text: 'Hello' }] } };
    const stamp = { invocationId: 'e-1', timestamp: 12.5, branch: 'both.left' };

    const event = new Event(body, stamp);

    expect(event).toMatchObject({ ...stamp, author: 'clerk', text: 'Hello' });
  });

  it('shows its text, its calls and its responses', () => {
    const parts = [
      { text: 'Hm.', thought: true },
      { text: 'Wait.' },
      { functionCall: { id: '1', name: 'a' } },
      { functionResponse: { id: '0', name: 'z', response: {} } },
    ];

    const event = new Event({ invocationId: 'e-1', author: 'clerk', content: { role: 'model', parts } });

    expect([event.text, event.functionCalls, event.functionResponses]).toEqual([
      'Wait.',
      [{ id: '1', name: 'a' }],
      [{ id: '0', name: 'z', response: {} }],
    ]);
  });
});
