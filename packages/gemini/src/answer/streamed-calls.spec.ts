import { createRunner, defineAgent, FunctionTool, type ModelResponse } from '@adorn/core';
import { answersWith, type GeminiStep, saysText, startGeminiEmulator, streamsJson } from '@adorn/testing';

import { GeminiModel } from '../gemini.model.js';

const STREAMED = { toolConfig: { functionCallingConfig: { streamFunctionCallArguments: true } } };

describe('a call whose arguments are streamed', () => {
  it('asks Vertex AI to stream arguments where the option says so', async () => {
    await using emulator = await startGeminiEmulator([saysText('Hi.')]);

    await answerOf(emulator.url);

    expect(emulator.requests[0]?.body['toolConfig']).toEqual(STREAMED.toolConfig);
  });

  it('refuses the option where the API does not know it', async () => {
    await expect(answerOf('http://127.0.0.1:9', { vertexai: false })).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      message: expect.stringContaining('streamFunctionCallArguments') as string,
    });
  });

  it('is one call with all of its arguments, and its signature', async () => {
    const responses = await answerTo(
      { text: 'Let me look.' },
      { functionCall: { id: 'c1', name: 'search', args: {}, willContinue: true }, thoughtSignature: 'c2ln' },
      fragment({ jsonPath: '$.query', stringValue: 'tea ', willContinue: true }),
      fragment({ jsonPath: '$.query', stringValue: 'and cake', willContinue: true }),
      fragment({ jsonPath: '$.query', stringValue: '' }, { jsonPath: '$.limit', numberValue: 0 }),
      fragment(
        { jsonPath: '$.filter.tags[0]', stringValue: 'new' },
        { jsonPath: '$.filter.tags[1]', stringValue: 'hot' },
      ),
      fragment(
        { jsonPath: "$['a \\'b\\'']", boolValue: false },
        { jsonPath: '$["__proto__"]', nullValue: null },
      ),
      { functionCall: {} },
      { functionCall: { name: 'now', args: {} } },
    );

    expect(responses.at(-1)).toEqual({
      content: {
        role: 'model',
        parts: [
          { text: 'Let me look.' },
          {
            functionCall: {
              id: 'c1',
              name: 'search',
              args: JSON.parse(
                `{"query":"tea and cake","limit":0,"filter":{"tags":["new","hot"]},"a 'b'":false,"__proto__":null}`,
              ) as object,
            },
            thoughtSignature: 'c2ln',
          },
          { functionCall: { name: 'now', args: {} } },
        ],
      },
      finishReason: 'STOP',
    });
  });

  it('is put together in an answer that is not streamed, too', async () => {
    await using emulator = await startGeminiEmulator([
      answersWith({
        parts: [{ functionCall: { name: 'f', partialArgs: [{ jsonPath: '$.a', numberValue: 1 }] } }],
      }),
    ]);

    expect(await answerOf(emulator.url, { stream: false })).toMatchObject([
      { content: { parts: [{ functionCall: { name: 'f', args: { a: 1 } } }] } },
    ]);
  });

  const begin = { functionCall: { name: 'f', willContinue: true } };
  const end = { functionCall: {} };
  it.each<[string, string, ...object[]]>([
    [
      'does not end',
      'the answer ended before it did',
      begin,
      fragment({ jsonPath: '$.a', stringValue: 'x' }),
    ],
    [
      'has a value that does not end',
      'the value of $.a did not end',
      begin,
      fragment({ jsonPath: '$.a', stringValue: 'x', willContinue: true }),
      end,
    ],
    [
      'has a value that never comes',
      'the value of $.a did not end',
      begin,
      fragment({ jsonPath: '$.a', willContinue: true }),
      end,
    ],
    ['has a path without value', 'a value does not fit at $.a', begin, fragment({ jsonPath: '$.a' }), end],
    ['is overtaken by another', 'another call began', begin, { functionCall: { name: 'g', args: {} } }],
    [
      'leaves a gap in an array',
      'a value does not fit at $.a[7]',
      begin,
      fragment({ jsonPath: '$.a[7]', numberValue: 1 }),
      end,
    ],
    [
      'leads through a text',
      'a value does not fit at $.a.b',
      begin,
      fragment({ jsonPath: '$.a', stringValue: 'x' }, { jsonPath: '$.a.b', numberValue: 1 }),
      end,
    ],
    [
      'replaces all arguments',
      'a value does not fit at $',
      begin,
      fragment({ jsonPath: '$', stringValue: '{}' }),
      end,
    ],
    [
      'has a path to many values',
      'a value has no valid path',
      begin,
      fragment({ jsonPath: '$.a[*]', numberValue: 1 }),
      end,
    ],
    [
      'has a value of null',
      'a value has no valid path',
      begin,
      { functionCall: { partialArgs: [null], willContinue: true } },
      end,
    ],
    ['has no name', 'a call that had not begun', fragment({ jsonPath: '$.a', numberValue: 1 }), end],
    [
      'begins without saying so',
      'a call that had not begun',
      { functionCall: { name: 'f' } },
      fragment({ jsonPath: '$.a', numberValue: 1 }),
    ],
  ])('is no call where it %s', async (_what, fault, ...parts) => {
    const responses = await answerTo({ text: 'Well.' }, ...parts);

    expect(responses.at(-1)).toEqual({
      content: { role: 'model', parts: [{ text: 'Well.' }] },
      finishReason: 'MALFORMED_FUNCTION_CALL',
      errorCode: 'MALFORMED_FUNCTION_CALL',
      errorMessage: expect.stringContaining(fault) as string,
    });
  });

  it('says why the model stopped in the middle of it', async () => {
    const step = streamsJson({
      candidates: [{ content: { role: 'model', parts: [begin] }, finishReason: 'MAX_TOKENS' }],
    });
    const blocked = streamsJson({
      candidates: [{ content: { role: 'model', parts: [begin] }, finishReason: 'SAFETY' }],
    });
    await using emulator = await startGeminiEmulator([step, blocked]);

    expect((await answerOf(emulator.url)).at(-1)).toMatchObject({
      errorCode: 'MALFORMED_FUNCTION_CALL',
      errorMessage:
        'The arguments of a call of "f" did not arrive whole: the answer ended before it did (MAX_TOKENS). ' +
        'No call of this answer is run: ask again.',
    });
    expect((await answerOf(emulator.url)).at(-1)).toMatchObject({ errorCode: 'SAFETY' });
  });

  it('runs its tool with whole arguments only: the model is asked again', async () => {
    const ran: unknown[] = [];
    const parameters = { type: 'object', properties: { city: { type: 'string' } } };
    const run = (args: object): string => {
      ran.push(args);
      return 'done';
    };
    const weather = new FunctionTool({ name: 'f', description: 'Weather.', parameters, run });
    await using emulator = await startGeminiEmulator([
      streams(begin, fragment({ jsonPath: '$.city', stringValue: 'Os', willContinue: true })),
      streams(
        begin,
        fragment({ jsonPath: '$.city', stringValue: 'Os', willContinue: true }),
        fragment({ jsonPath: '$.city', stringValue: 'lo' }),
        end,
      ),
      saysText('Rain.'),
    ]);
    const root = defineAgent({ name: 'root', tools: [weather], generateContentConfig: STREAMED });
    const model = new GeminiModel({ ...VERTEX, baseUrl: emulator.url });
    await using runner = await createRunner(root, { model, config: { streaming: 'sse' } });

    expect(await runner.ask('Weather?')).toBe('Rain.');
    expect(ran).toEqual([{ city: 'Oslo' }]);
  });
});

const VERTEX = { vertexai: true, project: 'p', location: 'l', apiKey: 'test-key' };

interface Asking {
  readonly stream?: boolean;
  readonly vertexai?: boolean;
}

async function answerOf(
  baseUrl: string,
  { stream = true, vertexai = true }: Asking = {},
): Promise<ModelResponse[]> {
  const model = new GeminiModel({ ...VERTEX, vertexai, baseUrl });
  const contents = [{ role: 'user', parts: [{ text: 'Hello?' }] }];
  const responses: ModelResponse[] = [];
  const request = { contents, config: STREAMED, stream, signal: new AbortController().signal };
  for await (const response of model.generate(request)) responses.push(response);
  return responses;
}

async function answerTo(...parts: readonly object[]): Promise<ModelResponse[]> {
  await using emulator = await startGeminiEmulator([streams(...parts)]);
  return await answerOf(emulator.url);
}

/** One chunk for each part. */
function streams(...parts: readonly object[]): GeminiStep {
  const chunks = parts.map((part) => ({ candidates: [{ content: { role: 'model', parts: [part] } }] }));
  return streamsJson(...chunks, { candidates: [{ finishReason: 'STOP' }] });
}

function fragment(...partialArgs: readonly object[]): object {
  return { functionCall: { partialArgs, willContinue: true } };
}
