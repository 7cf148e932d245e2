import { NO_ACTIONS } from './event-actions.js';
import { Event, type EventFields } from './event.js';

describe('the JSON of an event', () => {
  it('is the wire form of the ADK, its fields in the same order', () => {
    const event = new Event({
      invocationId: 'e-7',
      author: 'trivial',
      id: 'z2ZytdEY',
      timestamp: 1795292605.002,
      branch: 'optional.dotted',
      content: {
        role: 'user',
        parts: [{ functionResponse: { id: 'adk-1', name: 'add', response: { sum: 3 } } }],
      },
      actions: {
        transferToAgent: 'helper',
        stateDelta: { sum: 3, 'user:last': 3, gone: null },
        artifactDelta: { 'note.txt': 0 },
        requestedToolConfirmations: { 'adk-2': { hint: 'Sure?', confirmed: false } },
        skipSummarization: true,
        escalate: true,
        rewindBeforeInvocationId: 'e-3',
      },
      longRunningToolIds: ['adk-2'],
      partial: true,
      turnComplete: true,
      finishReason: 'STOP',
      errorCode: 'SAFETY',
      errorMessage: 'Blocked.',
      usageMetadata: { totalTokenCount: 7 },
      groundingMetadata: { webSearchQueries: ['q'] },
      citationMetadata: { citations: [] },
      modelVersion: 'gemini-2.5-flash-001',
      customMetadata: { trace: null },
    });

    expect(JSON.stringify(event)).toBe(
      '{"invocationId":"e-7","author":"trivial","id":"z2ZytdEY","branch":"optional.dotted",' +
        '"content":{"role":"user","parts":[{"functionResponse":{"id":"adk-1","name":"add","response":{"sum":3}}}]},' +
        '"actions":{"stateDelta":{"sum":3,"user:last":3,"gone":null},"artifactDelta":{"note.txt":0},' +
        '"requestedAuthConfigs":{},"requestedToolConfirmations":{"adk-2":{"hint":"Sure?","confirmed":false}},' +
        '"skipSummarization":true,"transferToAgent":"helper","escalate":true,' +
        '"rewindBeforeInvocationId":"e-3"},' +
        '"longRunningToolIds":["adk-2"],"timestamp":1795292605.002,"partial":true,"turnComplete":true,' +
        '"finishReason":"STOP","errorCode":"SAFETY","errorMessage":"Blocked.","usageMetadata":{"totalTokenCount":7},' +
        '"groundingMetadata":{"webSearchQueries":["q"]},"citationMetadata":{"citations":[]},' +
        '"modelVersion":"gemini-2.5-flash-001","customMetadata":{"trace":null}}',
    );
  });

  it('leaves out what is empty, but for the four maps of the actions', () => {
    const event = new Event({
      invocationId: 'e-7',
      author: 'clerk',
      id: 'a1',
      timestamp: 0,
      partial: false,
      turnComplete: false,
      longRunningToolIds: [],
      actions: { escalate: false },
    });

    expect(JSON.stringify(event)).toBe(
      '{"invocationId":"e-7","author":"clerk","id":"a1",' +
        '"actions":{"stateDelta":{},"artifactDelta":{},"requestedAuthConfigs":{},"requestedToolConfirmations":{}},' +
        '"timestamp":0}',
    );
  });

  it('leaves out null, as a row of a table may hold it', () => {
    const row = { invocationId: 'e-7', author: 'clerk', id: 'a1', timestamp: 0 };
    const nulls = { branch: null, errorCode: null, customMetadata: null, longRunningToolIds: null };

    const event = new Event({ ...row, ...nulls } as unknown as EventFields);

    expect(event.toJSON()).toEqual({ ...row, actions: { ...NO_ACTIONS } });
  });

  it('writes a key of the state whatever it is called', () => {
    const stateDelta = JSON.parse('{"__proto__":1,"constructor":2}') as Record<string, unknown>;

    const { actions } = new Event({ invocationId: 'e-7', author: 'clerk', actions: { stateDelta } }).toJSON();

    expect(JSON.stringify(actions)).toContain('"stateDelta":{"__proto__":1,"constructor":2}');
  });
});
