import type { RecordedResponse } from '@adorn/testing';

import { expectEvent } from './expected-event.js';

describe('expectEvent', () => {
  it('joins the texts of a stream, keeps what carries a signature, and takes the last word on everything else', () => {
    const expected = expectEvent(
      stream(
        {
          candidates: [{ content: { parts: [{ text: 'Hm. ', thought: true }] } }],
          usageMetadata: { totalTokenCount: 1 },
        },
        { candidates: [{ content: { parts: [{ text: 'So.', thought: true }] } }] },
        { candidates: [{ content: { parts: [{ text: 'It ' }, {}] }, finishReason: 'STOP' }] },
        {
          candidates: [
            {
              content: { parts: [{ text: 'is.' }, { text: '', thoughtSignature: 's' }] },
              finishReason: 'STOP',
            },
          ],
        },
        { candidates: [{ finishReason: 'STOP' }], usageMetadata: { totalTokenCount: 9 }, modelVersion: 'g' },
      ),
    );

    expect(expected).toEqual({
      errorCodes: [undefined],
      parts: [{ text: 'Hm. So.', thought: true }, { text: 'It is.' }, { text: '', thoughtSignature: 's' }],
      finishReason: 'STOP',
      usageMetadata: { totalTokenCount: 9 },
      modelVersion: 'g',
    });
  });

  it('gathers citations once each, under either name, and grounding from all chunks', () => {
    const [one, two] = [{ uri: 'a' }, { uri: 'b' }];
    const expected = expectEvent(
      stream(
        {
          candidates: [{ content: { parts: [{ text: 'x' }] }, citationMetadata: { citationSources: [one] } }],
        },
        {
          candidates: [
            { citationMetadata: { citations: [one, two] }, groundingMetadata: { webSearchQueries: ['q'] } },
          ],
        },
        { candidates: [{ groundingMetadata: { groundingChunks: [] } }] },
      ),
    );

    expect(expected).toMatchObject({
      citations: [one, two],
      groundingMetadata: { webSearchQueries: ['q'], groundingChunks: [] },
    });
  });

  it.each([
    [
      'a blocked prompt',
      { promptFeedback: { blockReason: 'SAFETY', blockReasonMessage: 'No.' } },
      ['SAFETY'],
    ],
    ['a blocked answer', answerOf([{ text: 'x' }], 'SAFETY'), ['SAFETY']],
    ['an end at the limit', answerOf([{ text: 'x' }], 'MAX_TOKENS'), [undefined]],
    ['nothing before the limit', answerOf([], 'MAX_TOKENS'), ['MAX_TOKENS']],
    ['nothing at all', { candidates: [{ content: {} }] }, ['EMPTY_RESPONSE']],
    ['an empty text', answerOf([{ text: '' }], 'STOP'), ['EMPTY_RESPONSE']],
    ['a thought alone', answerOf([{ text: 'Hm.', thought: true }], 'STOP'), ['EMPTY_RESPONSE']],
    ['an end nobody knows', answerOf([{ text: 'x' }], 'NEW_REASON'), [undefined, 'NEW_REASON']],
    ['what is no answer', { this: 'that' }, ['MALFORMED_RESPONSE', 'EMPTY_RESPONSE']],
  ])('knows %s', (_what, answer, errorCodes) => {
    expect(expectEvent(unary(answer)).errorCodes).toEqual(errorCodes);
  });

  it.each([
    [404, 'not found', 'MODEL_NOT_FOUND'],
    [403, 'not yours', 'MODEL_UNAVAILABLE'],
    [400, 'API key not valid', 'MODEL_UNAVAILABLE'],
    [400, 'invalid argument', 'MODEL_FAILED'],
    [429, 'quota', 'MODEL_FAILED'],
  ])('knows what status %i with "%s" comes to', (code, message, errorCode) => {
    const expected = { errorCodes: [errorCode], message, parts: [] };

    expect(expectEvent({ ...unary({ error: { code, message } }), status: code })).toEqual(expected);
    expect(expectEvent(stream({ error: { code, message } }))).toEqual(expected);
  });

  it('knows a stream that breaks off', () => {
    const good = answerOf([{ text: 'x' }], 'STOP');

    expect(expectEvent(stream(good, { error: { code: 499 } })).errorCodes).toContain('STREAM_INTERRUPTED');
    expect(expectEvent(stream(good, '{"candi')).errorCodes).toContain('MALFORMED_RESPONSE');
  });

  it('knows a stream that ends without a finish reason as cut, and keeps its text', () => {
    const cut = { candidates: [{ content: { parts: [{ text: 'forty-' }] } }] };

    expect(expectEvent(stream(cut))).toMatchObject({
      errorCodes: ['STREAM_INTERRUPTED'],
      parts: [{ text: 'forty-' }],
    });
    expect(expectEvent(unary(cut)).errorCodes).toEqual([undefined]);
  });
});

function answerOf(parts: readonly unknown[], finishReason: string) {
  return { candidates: [{ content: { role: 'model', parts }, finishReason }] };
}

function unary(answer: unknown): RecordedResponse {
  return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(answer)), stream: false };
}

function stream(...chunks: readonly unknown[]): RecordedResponse {
  const events = chunks.map(
    (chunk) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk, null, 2)}\r\n\r\n`,
  );
  return { status: 200, headers: {}, body: Buffer.from(events.join('')), stream: true };
}
