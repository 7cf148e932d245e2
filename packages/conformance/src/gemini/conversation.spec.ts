import type { RecordedExchange } from '@adorn/testing';

import { conversationsOf } from './conversation.js';
import type { RecordedContent } from './gemini-json.js';
import { outOfScope } from './scope.js';

const user: RecordedContent = { role: 'user', parts: [{ text: 'Divide.' }] };
const call: RecordedContent = { role: 'model', parts: [{ functionCall: { name: 'divide' } }] };
const response: RecordedContent = {
  role: 'user',
  parts: [{ functionResponse: { name: 'divide', response: {} } }],
};
const answer: RecordedContent = { role: 'model', parts: [{ text: '50' }] };
const thanks: RecordedContent = { role: 'user', parts: [{ text: 'Thanks.' }] };

describe('conversationsOf', () => {
  it('counts the answers to each message, those after a call among them', () => {
    const [conversation, ...more] = conversationsOf(
      recordingOf([user], [user, call, response], [user, call, response, answer, thanks]),
    );

    expect(more).toEqual([]);
    expect(conversation?.history).toEqual([]);
    expect(conversation?.turns).toEqual([
      { message: user.parts, answers: 2 },
      { message: thanks.parts, answers: 1 },
    ]);
  });

  it('takes what stands before the first message for history', () => {
    expect(conversationsOf(recordingOf([user, answer, thanks]))).toMatchObject([
      { name: 'file.json', history: [user, answer], turns: [{ message: thanks.parts, answers: 1 }] },
    ]);
  });

  it('begins a new conversation where a request does not go on', () => {
    expect(conversationsOf(recordingOf([user], [thanks])).map(({ name }) => name)).toEqual([
      'file.json #1',
      'file.json #2',
    ]);
  });
});

describe('outOfScope', () => {
  it.each([
    ['a call left unanswered', recordingOf([user], [user, call, thanks]), 'it leaves a call unanswered'],
    ['token counts', loneAnswer('{"totalTokens": 3}'), 'token counting'],
    ['images', loneAnswer('{"predictions": []}'), 'image generation'],
    ['a schema', { ...loneAnswer('{}'), path: 'x/schema/a.json' }, 'a schema, no answer'],
    ['an answered call', recordingOf([user], [user, call, response]), undefined],
    ['what is no answer', loneAnswer('{"this": []}'), undefined],
    ['what is no JSON', loneAnswer('data: {'), undefined],
  ])('knows %s', (_what, recording, reason) => {
    expect(outOfScope(recording)).toBe(reason);
  });
});

function recordingOf(...requests: RecordedContent[][]) {
  const exchanges = requests.map((contents) => ({
    request: { method: 'POST', path: '/v1beta/models/m:generateContent', headers: {}, body: { contents } },
    response: responseOf('{}'),
  }));
  return { path: 'file.json', group: 'g', exchanges };
}

function loneAnswer(text: string) {
  return { path: 'file.json', group: 'g', exchanges: [{ response: responseOf(text) }] };
}

function responseOf(text: string): RecordedExchange['response'] {
  return { status: 200, headers: {}, body: Buffer.from(text), stream: false };
}
