import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { ModelResponse } from '@adorn/core';
import {
  answersJson,
  cutsStream,
  type GeminiAnswer,
  type GeminiEmulator,
  type GeminiScript,
  neverAnswers,
  plays,
  saysText,
  sendsMalformedJson,
  sendsNothing,
  startGeminiEmulator,
  streamsJson,
} from '@adorn/testing';

import { GeminiModel } from '../gemini.model.js';

describe('a streamed answer', () => {
  const running: GeminiEmulator[] = [];
  const servers: Server[] = [];

  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.close();
      server.closeAllConnections();
    }
    await Promise.allSettled(running.splice(0).map((emulator) => emulator.close()));
  });

  async function ask(script: GeminiScript, signal?: AbortSignal): Promise<AsyncGenerator<ModelResponse>> {
    const emulator = await startGeminiEmulator(script);
    running.push(emulator);
    const model = new GeminiModel({ baseUrl: emulator.url, apiKey: 'test-key' }, IMPATIENT);
    return model.generate({
      contents: [{ role: 'user', parts: [{ text: 'Hello?' }] }],
      config: {},
      stream: true,
      signal: signal ?? new AbortController().signal,
    });
  }

  it('comes in pieces and then whole, with what any chunk said about it', async () => {
    const responses = await allOf(
      ask([
        streamsJson(
          { ...saying({ text: 'It is ' }), usageMetadata: { promptTokenCount: 3 } },
          saying({ text: 'noon' }),
          {
            candidates: [
              {
                content: { role: 'model', parts: [{ text: '.' }] },
                finishReason: 'STOP',
                groundingMetadata: { webSearchQueries: ['noon'] },
              },
            ],
            usageMetadata: { promptTokenCount: 3, totalTokenCount: 6 },
            modelVersion: 'gemini-x',
          },
        ),
      ]),
    );

    expect(responses).toEqual([
      partial({ text: 'It is ' }),
      partial({ text: 'noon' }),
      partial({ text: '.' }),
      {
        content: { role: 'model', parts: [{ text: 'It is noon.' }] },
        finishReason: 'STOP',
        usageMetadata: { promptTokenCount: 3, totalTokenCount: 6 },
        groundingMetadata: { webSearchQueries: ['noon'] },
        modelVersion: 'gemini-x',
      },
    ]);
  });

  it('keeps thoughts, texts, calls and signatures apart', async () => {
    const call = { functionCall: { name: 'now', args: {} }, thoughtSignature: 'c2ln' };
    const signed = { text: '', thoughtSignature: 'ZW5k' };
    const responses = await allOf(
      ask([
        streamsJson(
          saying({ text: 'Let me ', thought: true }),
          saying({ text: 'see.', thought: true }, { text: 'I ' }),
          saying({ text: 'look.' }),
          saying(call),
          saying({ text: 'Then' }, { text: ' on.' }),
          { candidates: [{ content: { role: 'model', parts: [signed] }, finishReason: 'STOP' }] },
        ),
      ]),
    );

    expect(responses.at(-1)?.content?.parts).toEqual([
      { text: 'Let me see.', thought: true },
      { text: 'I look.' },
      call,
      { text: 'Then on.' },
      signed,
    ]);
    expect(responses).toHaveLength(7);
  });

  it('is no error for an empty chunk at its end', async () => {
    const end = { candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP' }] };

    expect(await allOf(ask([streamsJson(saying({ text: 'Noon.' }), end)]))).toEqual([
      partial({ text: 'Noon.' }),
      { content: { role: 'model', parts: [{ text: 'Noon.' }] }, finishReason: 'STOP' },
    ]);
  });

  it('keeps the reason that blocked it, whatever comes after', async () => {
    const blocked = { candidates: [{ finishReason: 'RECITATION' }] };

    const responses = await allOf(
      ask([streamsJson(saying({ text: 'To be' }), blocked, { candidates: [{ finishReason: 'STOP' }] })]),
    );

    expect(responses.at(-1)).toEqual({
      content: { role: 'model', parts: [{ text: 'To be' }] },
      finishReason: 'RECITATION',
      errorCode: 'RECITATION',
      errorMessage: 'The model stopped for RECITATION; its answer is not usable.',
    });
  });

  it.each([
    ['a blocked prompt', answersJson({ promptFeedback: { blockReason: 'SAFETY' } }), 'SAFETY'],
    ['no event at all', sendsNothing(), 'EMPTY_RESPONSE'],
    ['no content', streamsJson({ candidates: [{ content: {}, index: 0 }] }), 'EMPTY_RESPONSE'],
    ['an event that is no JSON', sendsMalformedJson(), 'MALFORMED_RESPONSE'],
  ])('reports %s', async (_what, step, errorCode) => {
    expect(await allOf(ask([step]))).toMatchObject([{ errorCode }]);
  });

  it('takes a last event that no blank line follows', async () => {
    const body = Buffer.from(
      'data: {"candidates": [{"content": {"parts": [{"text": "Noon."}]}, "finishReason": "STOP"}]}\n',
    );
    const headers = { 'content-type': 'text/event-stream' };

    const responses = await allOf(ask([plays({ response: { status: 200, headers, body, stream: true } })]));

    expect(responses.at(-1)).toEqual({
      content: { role: 'model', parts: [{ text: 'Noon.' }] },
      finishReason: 'STOP',
    });
  });

  it('is no answer where the stream ends without a finish reason: what came is kept', async () => {
    const responses = await allOf(
      ask([streamsJson(saying({ text: 'The answer is ' }), saying({ text: 'forty-' }))]),
    );

    expect(responses.slice(2)).toEqual([
      {
        content: { role: 'model', parts: [{ text: 'The answer is forty-' }] },
        errorCode: 'STREAM_INTERRUPTED',
        errorMessage:
          'The stream ended without a finish reason, so the answer is incomplete. The received part is kept. Try again.',
      },
    ]);
  });

  it('passes no part of an interrupted answer on as the whole', async () => {
    const responses = await allOf(ask([cutsStream(saying({ text: 'It is ' }))]));

    expect(responses).toEqual([
      partial({ text: 'It is ' }),
      {
        errorCode: 'STREAM_INTERRUPTED',
        errorMessage:
          'The stream was interrupted before the answer was complete; its pieces were discarded. Try again.',
      },
    ]);
  });

  it('passes no part on where a later event is an error or no JSON', async () => {
    const error = { error: { code: 503, message: 'Overloaded.', status: 'UNAVAILABLE' } };
    const events = `data: ${JSON.stringify(saying({ text: 'It' }))}\r\n\r\ndata: {"candid`;
    const headers = { 'content-type': 'text/event-stream' };
    const spoiled = plays({ response: { status: 200, headers, body: Buffer.from(events), stream: true } });

    expect(await allOf(ask([streamsJson(saying({ text: 'It is ' }), error)]))).toMatchObject([
      { partial: true },
      { errorCode: 'STREAM_INTERRUPTED' },
    ]);
    expect(await allOf(ask([spoiled]))).toMatchObject([
      { partial: true },
      { errorCode: 'MALFORMED_RESPONSE' },
    ]);
  });

  it('is asked for again where it broke off, or failed, before its first piece', async () => {
    const error = { error: { code: 503, message: 'Overloaded.', status: 'UNAVAILABLE' } };
    const unsaid = { usageMetadata: { promptTokenCount: 1 } };

    const responses = await allOf(
      ask([cutsStream(), cutsStream(unsaid), streamsJson(error), saysText('No', 'on.')]),
    );

    expect(responses.at(-1)).toMatchObject({ content: { parts: [{ text: 'Noon.' }] } });
    expect(responses).toHaveLength(3);
  });

  it('ends with the reason of its cancellation, before and amid the pieces', async () => {
    const waiting = new AbortController();
    const silent = (await ask([neverAnswers()], waiting.signal)).next();
    const reason = new Error('enough');
    waiting.abort(reason);
    await expect(silent).rejects.toBe(reason);

    const reading = new AbortController();
    const answer = await ask([saysText('It ', 'is ', 'noon.')], reading.signal);
    await answer.next();
    reading.abort(reason);
    await expect(allOf(Promise.resolve(answer))).rejects.toBe(reason);
  });

  it('hangs up when nobody reads on', async () => {
    const { url, hungUp } = await startEndless(saying({ text: 'a' }), servers);
    const model = new GeminiModel({ baseUrl: url, apiKey: 'test-key' });
    const request = { contents: [{ role: 'user', parts: [{ text: 'x' }] }], config: {}, stream: true };

    for await (const piece of model.generate({ ...request, signal: new AbortController().signal })) {
      expect(piece).toEqual(partial({ text: 'a' }));
      break;
    }

    await hungUp;
  });
});

/** A server whose stream never ends; `hungUp` resolves when its asker has left. */
async function startEndless(
  chunk: GeminiAnswer,
  servers: Server[],
): Promise<{ url: string; hungUp: Promise<void> }> {
  let leave: () => void;
  const hungUp = new Promise<void>((resolve) => (leave = resolve));
  const server = createServer((_request, response) => {
    response.once('close', leave);
    response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .write(`data: ${JSON.stringify(chunk)}\r\n\r\n`);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, hungUp };
}

const IMPATIENT = { now: () => 0, random: () => 1, sleep: () => Promise.resolve() };

function saying(...parts: readonly object[]): GeminiAnswer {
  return { candidates: [{ content: { role: 'model', parts }, index: 0 }] };
}

function partial(...parts: readonly object[]): object {
  return { partial: true, content: { role: 'model', parts } };
}

async function allOf(answer: Promise<AsyncGenerator<ModelResponse>>): Promise<ModelResponse[]> {
  const responses: ModelResponse[] = [];
  for await (const response of await answer) responses.push(response);
  return responses;
}
