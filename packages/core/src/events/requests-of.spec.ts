import type { Part } from './genai-types.js';
import { Event } from './event.js';
import { answersCalls, isRequestName, type PendingRequestData, readDecision } from './pending-request.js';

/** When each request was made. */
const AT = 1_700_000_000;
const REFUND = { id: 'adk-1', name: 'refund', args: { id: 'A-17', cents: 500 } };

describe('the requests that an event opens', () => {
  it('are none where nothing goes on', () => {
    expect(eventWith([{ functionCall: REFUND }], []).pending).toEqual([]);
    expect(eventWith([{ text: 'Hello' }], []).pending).toEqual([]);
  });

  it('hold a confirmation with the call that waits for it', () => {
    const toolConfirmation = { hint: 'Refund 500 cents?', confirmed: false };
    const args = { originalFunctionCall: REFUND, toolConfirmation };

    const event = eventWith(
      [{ functionCall: { id: 'adk-9', name: 'adk_request_confirmation', args } }],
      ['adk-9'],
    );

    expect(event.pending).toStrictEqual([
      {
        kind: 'confirmation',
        id: 'adk-9',
        functionCallId: 'adk-1',
        tool: 'refund',
        args: { id: 'A-17', cents: 500 },
        hint: 'Refund 500 cents?',
        askedAt: AT,
      },
    ]);
  });

  it.each([
    ['that says so', { askedBy: 'toolset', originalFunctionCall: REFUND }, 'adk-1', 'toolset'],
    ['of another ADK, by its prefix', {}, '_adk_toolset_auth_Files', 'toolset'],
    [
      'but not of a call whose id has the prefix',
      { originalFunctionCall: REFUND },
      '_adk_toolset_auth_Files',
      undefined,
    ],
  ])('hold a credential of a toolset %s', (_, fields, functionCallId, askedBy) => {
    const args = {
      functionCallId,
      authConfig: { authScheme: { type: 'http', scheme: 'bearer' } },
      ...fields,
    };

    const event = eventWith(
      [{ functionCall: { id: 'adk-9', name: 'adk_request_credential', args } }],
      ['adk-9'],
    );

    expect(event.pending[0]?.askedBy).toBe(askedBy);
  });

  it('hold the payload that the tool shows, where it shows one', () => {
    const toolConfirmation = { hint: 'Which seat?', confirmed: false, payload: { seat: '' } };
    const args = { originalFunctionCall: REFUND, toolConfirmation };

    const event = eventWith(
      [{ functionCall: { id: 'adk-9', name: 'adk_request_confirmation', args } }],
      ['adk-9'],
    );

    expect(event.pending).toMatchObject([{ id: 'adk-9', hint: 'Which seat?', payload: { seat: '' } }]);
  });

  it.each([
    [{ originalFunctionCall: REFUND }, 'refund', REFUND.args],
    [{}, '', {}],
  ])('hold a credential that is wanted: %j', (call, tool, args) => {
    const authConfig = { authScheme: { type: 'http', scheme: 'bearer' }, credentialKey: 'calendar' };
    const asked = { functionCallId: 'adk-1', authConfig, ...call };

    const event = eventWith(
      [{ functionCall: { id: 'adk-9', name: 'adk_request_credential', args: asked } }],
      ['adk-9'],
    );

    expect(event.pending).toEqual([
      { kind: 'credential', id: 'adk-9', functionCallId: 'adk-1', tool, args, authConfig, askedAt: AT },
    ]);
  });

  it('hold no result of a call that has only been made: it may have to be confirmed first', () => {
    const event = eventWith([{ functionCall: REFUND }, { text: 'Wait.' }], ['adk-1', 'adk-unknown']);

    expect(event.pending).toEqual([]);
  });

  it('hold a tool that said while it ran that its result comes later', () => {
    const functionResponse = { id: 'adk-1', name: 'refund', response: { ticket: 7 }, willContinue: true };

    expect(eventWith([{ functionResponse }], ['adk-1']).pending).toEqual([
      { kind: 'result', id: 'adk-1', functionCallId: 'adk-1', tool: 'refund', args: {}, askedAt: AT },
    ]);
  });

  it('have an empty id where the log of another ADK has one', () => {
    const parts = [
      { functionCall: { name: 'adk_request_confirmation' } },
      { functionCall: { name: 'adk_request_credential' } },
      { functionResponse: { name: 'refund', response: { ticket: 7 } } },
    ];

    expect(eventWith(parts, ['']).pending).toMatchObject([
      { kind: 'confirmation', id: '', functionCallId: '' },
      { kind: 'credential', id: '', args: {} },
      { kind: 'result', id: '', functionCallId: '' },
    ]);
    expect(eventWith(parts, ['adk-1']).pending).toEqual([]);
  });

  it('are none for other calls that take longer', () => {
    const functionCall = { id: 'adk-1', args: {} };

    expect(eventWith([{ functionCall }], ['adk-1']).pending).toEqual([]);
  });

  it('name no tool where the log of another ADK names none', () => {
    const functionResponse = { id: 'adk-1', response: { ticket: 7 } };

    expect(eventWith([{ functionResponse }], ['adk-1']).pending).toEqual([
      { kind: 'result', id: 'adk-1', functionCallId: 'adk-1', tool: '', args: {}, askedAt: AT },
    ]);
  });
});

describe('a request for a confirmation in a log from elsewhere', () => {
  const NOTHING = { kind: 'confirmation', id: 'adk-9', functionCallId: '', tool: '', args: {}, hint: '' };

  it.each<[string, Record<string, unknown>, object]>([
    ['has no arguments', {}, NOTHING],
    ['names no call', { originalFunctionCall: null, toolConfirmation: null }, NOTHING],
    [
      'has values of the wrong kind',
      {
        originalFunctionCall: { id: 1, name: 2, args: null },
        toolConfirmation: { hint: 3 },
        toolDefinition: 4,
      },
      NOTHING,
    ],
    [
      'has the digest of the definition of its tool',
      { originalFunctionCall: REFUND, toolDefinition: 'd1' },
      { ...NOTHING, functionCallId: 'adk-1', tool: 'refund', args: REFUND.args, definition: 'd1' },
    ],
  ])('is read where it %s', (_what, args, expected) => {
    const functionCall = { id: 'adk-9', name: 'adk_request_confirmation', args };

    expect(eventWith([{ functionCall }], ['adk-9']).pending).toStrictEqual([{ ...expected, askedAt: AT }]);
  });
});

describe('answersCalls', () => {
  it.each([
    ['user', 'user', true],
    ['user', 'model', true],
    ['clerk', 'user', true],
    ['clerk', undefined, true],
    ['clerk', 'model', false],
  ])('of an event by %p with the role %p is %p', (author, role, expected) => {
    const content = { parts: [{ text: 'x' }], ...(role !== undefined && { role }) };

    expect(answersCalls(new Event({ invocationId: 'e-1', author, content }))).toBe(expected);
  });

  it('of an event without content is true', () => {
    expect(answersCalls(new Event({ invocationId: 'e-1', author: 'clerk' }))).toBe(true);
  });
});

describe('readDecision', () => {
  const SHOWN: PendingRequestData = {
    kind: 'confirmation',
    id: 'adk-9',
    functionCallId: 'adk-1',
    tool: 'refund',
    args: {},
    hint: 'Sure?',
  };

  it.each<[string, Record<string, unknown>, object]>([
    ['bare', { confirmed: true }, { confirmed: true }],
    ['under toolConfirmation', { toolConfirmation: { confirmed: false } }, { confirmed: false }],
    ['under response', { response: { confirmed: true } }, { confirmed: true }],
    ['as text', { response: '{"confirmed":true,"payload":0}' }, { confirmed: true, payload: 0 }],
    ['beside a null', { response: null, confirmed: true }, { confirmed: true }],
    ['beside a number', { response: 5, confirmed: true }, { confirmed: true }],
    [
      'under toolConfirmation before one under response',
      { toolConfirmation: { confirmed: false }, response: { confirmed: true } },
      { confirmed: false },
    ],
    ['with a payload', { confirmed: true, payload: { seat: 1 } }, { confirmed: true, payload: { seat: 1 } }],
  ])('reads a decision %s', (_what, response, confirmation) => {
    expect(readDecision(SHOWN, response)).toStrictEqual({
      confirmation: { hint: 'Sure?', ...confirmation },
      shown: SHOWN,
    });
  });

  it.each<[unknown, object]>([
    ['too much', { reason: 'too much' }],
    [5, {}],
  ])('keeps the reason %p only where it is a text', (reason, expected) => {
    expect(readDecision(SHOWN, { confirmed: false, reason })).toStrictEqual({
      confirmation: { hint: 'Sure?', confirmed: false },
      shown: SHOWN,
      ...expected,
    });
  });

  it('has an empty hint where none was shown', () => {
    const { hint: _hint, ...shown } = SHOWN;

    expect(readDecision(shown, { confirmed: true })?.confirmation.hint).toBe('');
  });

  it.each<[Record<string, unknown> | undefined]>([
    [undefined],
    [{}],
    [{ confirmed: 'true' }],
    [{ response: '' }],
    [{ response: '{' }],
    [{ response: 'null' }],
    [{ response: 'true' }],
    [{ response: '{}', confirmed: true }],
  ])('takes %j for no decision', (response) => {
    expect(readDecision(SHOWN, response)).toBeUndefined();
  });
});

describe('isRequestName', () => {
  it.each([
    ['adk_request_confirmation', true],
    ['adk_request_credential', true],
    ['ADK_REQUEST_CREDENTIAL', false],
    ['refund', false],
    ['', false],
    [undefined, false],
  ])('of %p is %p', (name, expected) => {
    expect(isRequestName(name)).toBe(expected);
  });
});

function eventWith(parts: Part[], longRunningToolIds: string[]): Event {
  return new Event({
    invocationId: 'e-1',
    author: 'clerk',
    content: { role: 'model', parts },
    longRunningToolIds,
    timestamp: AT,
  });
}
