import { Event } from 'adorn';
import type { EventFields } from '@adorn/core/backend';

import { faultOfEvent } from './compare-event.js';
import type { ExpectedEvent } from './expected-event.js';
import { faultOfPieces } from './fault-of-pieces.js';

const call = { functionCall: { name: 'now', args: {} }, thoughtSignature: 's' };

const expected: ExpectedEvent = {
  errorCodes: [undefined],
  parts: [{ text: 'I look.' }, call],
  finishReason: 'STOP',
  usageMetadata: { totalTokenCount: 3 },
  citations: [{ uri: 'a' }],
};

const right: Omit<EventFields, 'author' | 'invocationId'> = {
  content: {
    role: 'model',
    parts: [
      { text: 'I ' },
      { text: 'look.' },
      { ...call, functionCall: { id: 'adk-1', ...call.functionCall } },
    ],
  },
  finishReason: 'STOP',
  usageMetadata: { totalTokenCount: 3 },
  citationMetadata: { citations: [{ uri: 'a' }] },
};

describe('faultOfEvent', () => {
  it('finds nothing wrong with the right event, however its texts are cut and whatever ids its calls got', () => {
    expect(faultOfEvent(expected, eventOf(right))).toBe(undefined);
  });

  it.each([
    ['no content', { content: undefined }, 'what was said is lost'],
    ['another text', { content: { role: 'model', parts: [{ text: 'I see.' }, call] } }, '$.parts[0].text'],
    [
      'a lost signature',
      { content: { role: 'model', parts: [{ text: 'I look.' }, { functionCall: call.functionCall }] } },
      'thoughtSignature',
    ],
    ['another order', { content: { role: 'model', parts: [call, { text: 'I look.' }] } }, '$.parts[0]'],
    ['another role', { content: { role: 'user', parts: [{ text: 'I look.' }, call] } }, 'the role is user'],
    ['an error', { errorCode: 'SAFETY', errorMessage: 'No.' }, 'expected no error, got SAFETY: No.'],
    ['another end', { finishReason: 'MAX_TOKENS' }, '$event.finishReason'],
    ['other usage', { usageMetadata: {} }, '$event.usageMetadata.totalTokenCount'],
    ['lost citations', { citationMetadata: undefined }, '$event.citations'],
    ['the end of the turn', { turnComplete: true }, '$event.turnComplete'],
  ])('finds %s', (_what, wrong, fault) => {
    expect(faultOfEvent(expected, eventOf({ ...right, ...wrong }))).toContain(fault);
  });

  it('finds an error that is none, is another, or says nothing of what was said', () => {
    const refused: ExpectedEvent = { errorCodes: ['MODEL_FAILED'], message: 'quota', parts: [] };
    const faults = [
      { errorCode: 'MODEL_FAILED', errorMessage: 'Over quota.', turnComplete: true },
      { content: { role: 'model', parts: [{ text: 'Fine.' }] } },
      { errorCode: 'SAFETY', errorMessage: 'No.' },
      { errorCode: 'MODEL_FAILED', errorMessage: 'Something.' },
      { errorCode: 'MODEL_FAILED' },
    ].map((fields) => faultOfEvent(refused, eventOf(fields)));

    expect(faults).toEqual([
      undefined,
      'expected MODEL_FAILED, got no error: ',
      'expected MODEL_FAILED, got SAFETY: No.',
      'the message lacks "quota": Something.',
      'the event bears MODEL_FAILED without a word',
    ]);
    expect(faultOfEvent(refused, undefined)).toBe('there was no event');
  });
});

describe('faultOfPieces', () => {
  const whole = eventOf({ content: { role: 'model', parts: [{ text: 'It is.' }] } });

  it('finds a piece that the whole has not, and one that never came', () => {
    expect(faultOfPieces([pieceOf('It '), pieceOf('is.')], whole)).toBe(undefined);
    expect(faultOfPieces([pieceOf('It ')], whole)).toContain('$.pieces[0]');
    expect(faultOfPieces([pieceOf('It '), pieceOf('is.'), pieceOf('is.')], whole)).toContain('$.pieces[0]');
  });
});

function eventOf(fields: Omit<EventFields, 'author' | 'invocationId'>): Event {
  return new Event({ author: 'asker', invocationId: 'e-1', ...fields });
}

function pieceOf(text: string): Event {
  return eventOf({ partial: true, content: { role: 'model', parts: [{ text }] } });
}
