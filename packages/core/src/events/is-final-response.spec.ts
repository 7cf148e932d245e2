import type { Part } from './genai-types.js';
import { Event, type EventFields } from './event.js';

const TEXT: Part = { text: 'Done.' };
const CALL: Part = { functionCall: { id: '1', name: 'a' } };
const RESPONSE: Part = { functionResponse: { id: '1', name: 'a', response: {} } };
const CODE: Part = { executableCode: { code: 'print(1)' } };
const CODE_RESULT: Part = { codeExecutionResult: { output: '1' } };

describe('isFinalResponse', () => {
  it.each<[string, readonly Part[], Omit<EventFields, 'invocationId' | 'author'>, boolean]>([
    ['a text', [TEXT], {}, true],
    ['nothing', [], {}, true],
    ['a thought', [{ text: 'Hm.', thought: true }], {}, true],
    ['a fault', [], { errorCode: 'SAFETY' }, true],
    ['a piece of a text', [TEXT], { partial: true }, false],
    ['a call', [CALL], {}, false],
    ['a text and a call', [TEXT, CALL], {}, false],
    ['a response', [RESPONSE], {}, false],
    ['a response that stands as the answer', [RESPONSE], { actions: { skipSummarization: true } }, true],
    ['a response that does not', [RESPONSE], { actions: { skipSummarization: false } }, false],
    ['a call that goes on', [CALL], { longRunningToolIds: ['1'] }, true],
    ['a response that goes on', [RESPONSE], { longRunningToolIds: ['1'] }, true],
    ['a pause without a content', [], { longRunningToolIds: ['1'] }, true],
    ['code', [CODE], {}, true],
    ['the result of code at the end', [TEXT, CODE, CODE_RESULT], {}, false],
    ['the result of code and a text after it', [CODE, CODE_RESULT, TEXT], {}, true],
    ['a hand-over without a call', [TEXT], { actions: { transferToAgent: 'billing' } }, true],
  ])('of %s', (_what, parts, fields, expected) => {
    const event = new Event({
      invocationId: 'e-1',
      author: 'clerk',
      content: { role: 'model', parts: [...parts] },
      ...fields,
    });

    expect(event.isFinalResponse).toBe(expected);
  });

  it('is true without any content, and of one without parts', () => {
    const content = { role: 'model' };
    expect(new Event({ invocationId: 'e-1', author: 'clerk', content }).isFinalResponse).toBe(true);
    expect(new Event({ invocationId: 'e-1', author: 'clerk' }).isFinalResponse).toBe(true);
  });
});
