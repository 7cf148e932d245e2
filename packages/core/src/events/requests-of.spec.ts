import type { Part } from '../content/genai-types.js';
import { Event } from './event.js';
import { isRequestName } from './pending-request.js';

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
      },
    ]);
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
    const authConfig = { scheme: { type: 'http', scheme: 'bearer' }, key: 'calendar' };
    const asked = { functionCallId: 'adk-1', authConfig, ...call };

    const event = eventWith(
      [{ functionCall: { id: 'adk-9', name: 'adk_request_credential', args: asked } }],
      ['adk-9'],
    );

    expect(event.pending).toEqual([
      { kind: 'credential', id: 'adk-9', functionCallId: 'adk-1', tool, args, authConfig },
    ]);
  });

  it('hold no result of a call that has only been made: it may have to be confirmed first', () => {
    const event = eventWith([{ functionCall: REFUND }, { text: 'Wait.' }], ['adk-1', 'adk-unknown']);

    expect(event.pending).toEqual([]);
  });

  it('hold a tool that said while it ran that its result comes later', () => {
    const functionResponse = { id: 'adk-1', name: 'refund', response: { ticket: 7 }, willContinue: true };

    expect(eventWith([{ functionResponse }], ['adk-1']).pending).toEqual([
      { kind: 'result', id: 'adk-1', functionCallId: 'adk-1', tool: 'refund', args: {} },
    ]);
  });

  it('name no tool where the log of another ADK names none', () => {
    const functionResponse = { id: 'adk-1', response: { ticket: 7 } };

    expect(eventWith([{ functionResponse }], ['adk-1']).pending).toEqual([
      { kind: 'result', id: 'adk-1', functionCallId: 'adk-1', tool: '', args: {} },
    ]);
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
  });
}
