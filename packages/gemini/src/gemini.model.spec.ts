import type { ModelRequest, ModelResponse } from '@adorn/core';
import {
  answersJson,
  answersWith,
  callsFunctions,
  type GeminiEmulator,
  type GeminiScript,
  plays,
  saysText,
  sendsMalformedJson,
  sendsNothing,
  startGeminiEmulator,
} from '@adorn/testing';

import { GeminiModel } from './gemini.model.js';
import type { GeminiOptions } from './gemini-options.js';

describe('GeminiModel', () => {
  const running: GeminiEmulator[] = [];

  afterEach(async () => {
    await Promise.all(running.splice(0).map((emulator) => emulator.close()));
  });

  async function start(script: GeminiScript): Promise<GeminiEmulator> {
    const emulator = await startGeminiEmulator(script);
    running.push(emulator);
    return emulator;
  }

  it('asks gemini-2.5-flash of v1beta unless told otherwise', async () => {
    const emulator = await start([saysText('Hi.'), saysText('Hi.')]);

    await answerOf(new GeminiModel({ baseUrl: emulator.url, apiKey: 'test-key' }));
    await answerOf(
      new GeminiModel({
        model: 'gemini-x',
        baseUrl: emulator.url,
        apiKey: 'test-key',
        apiVersion: 'v1',
        headers: { 'x-tenant': 'ada' },
      }),
    );

    expect(emulator.requests).toMatchObject([
      { path: '/v1beta/models/gemini-2.5-flash:generateContent', headers: { 'x-goog-api-key': 'test-key' } },
      { path: '/v1/models/gemini-x:generateContent', headers: { 'x-tenant': 'ada' } },
    ]);
  });

  it('asks Vertex AI under its project and location', async () => {
    const emulator = await start([saysText('Hi.')]);
    const options = {
      vertexai: true,
      project: 'p',
      location: 'l',
      apiKey: 'test-key',
      baseUrl: emulator.url,
    };

    await answerOf(new GeminiModel(options));

    expect(emulator.requests[0]?.path).toBe(
      '/v1beta1/projects/p/locations/l/publishers/google/models/gemini-2.5-flash:generateContent',
    );
  });

  it.each([false, true])('S8: sends the API key to no redirect target (streamed: %s)', async (stream) => {
    const other = await start([]);
    const location = `${other.url.replace('//', '//ada:pass@')}/v1beta/models/x:generateContent?key=test-key`;
    const redirect = { status: 307, headers: { location }, body: Buffer.from('Moved.'), stream };
    const emulator = await start([plays({ response: redirect })]);

    const error = await answerOf(modelOf(emulator), { stream }).catch((caught: unknown) => caught);

    expect(other.requests).toEqual([]);
    expect(error).toMatchObject({
      code: 'MODEL_FAILED',
      status: 307,
      message:
        `Model "gemini-2.5-flash" answered with HTTP 307: a redirect to ${other.url}. Redirects are not ` +
        'followed, because they would receive the API key: set baseUrl to the final address.',
    });
  });

  it('S15: refuses to be made for an address that must not receive the API key', () => {
    expect(() => new GeminiModel({ baseUrl: 'http://gateway.example' })).toThrow(
      expect.objectContaining({
        code: 'MODEL_UNAVAILABLE',
        message:
          'Gemini cannot be called: baseUrl is plain http:// to gateway.example, so the API key would cross the ' +
          'network unencrypted. Use a URL such as https://gateway.example.com, or http://127.0.0.1:8080 for a ' +
          'server on this machine.',
      }) as Error,
    );
  });

  it.each([
    ['http://gateway.invalid', 'is plain http:// to gateway.invalid'],
    ['https://ada:pass@gateway.invalid', 'contains a user name or password'],
  ])('S15: sends nothing to the address %s of a request', async (baseUrl, fault) => {
    const model = new GeminiModel({ apiKey: 'test-key' });

    const answer = answerOf(model, { config: { httpOptions: { baseUrl } } });

    await expect(answer).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringContaining(`httpOptions.baseUrl ${fault}`) as string,
    });
  });

  it('gives the whole answer with all that was said about it', async () => {
    const grounding = { webSearchQueries: ['noon'] };
    const emulator = await start([
      answersWith({
        parts: [{ text: 'Thinking.', thought: true }, { text: 'Noon.' }],
        candidate: {
          groundingMetadata: grounding,
          citationMetadata: { citationSources: [{ uri: 'https://a.b' }] },
        },
      }),
    ]);

    expect(await askOf(emulator)).toEqual([
      {
        content: { role: 'model', parts: [{ text: 'Thinking.', thought: true }, { text: 'Noon.' }] },
        finishReason: 'STOP',
        usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 3 },
        groundingMetadata: grounding,
        citationMetadata: { citations: [{ uri: 'https://a.b' }] },
        modelVersion: 'gemini-emulator',
      },
    ]);
  });

  it('keeps a call and its signature as they came, and sends them back the same', async () => {
    const emulator = await start([
      callsFunctions({ name: 'now', args: { zone: 'CET' }, thoughtSignature: 'c2lnbmF0dXJl' }),
      saysText('Noon.'),
    ]);
    const model = modelOf(emulator);
    const [called] = await answerOf(model);
    const response = { functionResponse: { name: 'now', response: { result: 12 } } };

    await answerOf(model, {
      contents: [
        { role: 'user', parts: [{ text: 'When?' }] },
        ...(called?.content ? [called.content] : []),
        { role: 'user', parts: [response] },
      ],
    });

    expect(emulator.requests[1]?.body['contents']).toEqual([
      { role: 'user', parts: [{ text: 'When?' }] },
      {
        role: 'model',
        parts: [{ functionCall: { name: 'now', args: { zone: 'CET' } }, thoughtSignature: 'c2lnbmF0dXJl' }],
      },
      { role: 'user', parts: [response] },
    ]);
  });

  it('drops a part with nothing in it, and keeps an empty string', async () => {
    const emulator = await start([
      answersWith({ parts: [{ text: 'a' }, {}] }),
      answersWith({ parts: [{ text: 'a' }, { text: '' }] }),
    ]);

    expect(await askOf(emulator)).toMatchObject([{ content: { parts: [{ text: 'a' }] } }]);
    expect(await askOf(emulator)).toMatchObject([{ content: { parts: [{ text: 'a' }, { text: '' }] } }]);
  });

  it('names the reason why a prompt was blocked', async () => {
    const emulator = await start([
      answersJson({ promptFeedback: { blockReason: 'SAFETY', blockReasonMessage: 'Too hot.' } }),
      answersJson({ promptFeedback: { blockReason: 'OTHER' } }),
    ]);

    expect(await askOf(emulator)).toEqual([{ errorCode: 'SAFETY', errorMessage: 'Too hot.' }]);
    expect(await askOf(emulator)).toEqual([
      { errorCode: 'OTHER', errorMessage: 'The prompt was blocked (OTHER): rephrase it.' },
    ]);
  });

  it.each([
    'SAFETY',
    'RECITATION',
    'BLOCKLIST',
    'PROHIBITED_CONTENT',
    'SPII',
    'MALFORMED_FUNCTION_CALL',
    'IMAGE_SAFETY',
    'OTHER',
  ])('makes the finish reason %s an error, and keeps what was said', async (finishReason) => {
    const emulator = await start([answersWith({ parts: [{ text: 'So' }], finishReason })]);

    expect(await askOf(emulator)).toMatchObject([
      {
        content: { parts: [{ text: 'So' }] },
        finishReason,
        errorCode: finishReason,
        errorMessage: `The model stopped for ${finishReason}; its answer is not usable.`,
      },
    ]);
  });

  it("passes Google's words about the finish on, where Vertex AI gives them", async () => {
    const candidate = { finishMessage: 'It stopped.' };
    const emulator = await start([
      answersWith({ parts: [], finishReason: 'MALFORMED_FUNCTION_CALL', candidate }),
    ]);

    expect(await answerOf(modelOf(emulator, { vertexai: true }))).toMatchObject([
      { errorCode: 'MALFORMED_FUNCTION_CALL', errorMessage: 'It stopped.' },
    ]);
  });

  it.each(['MAX_TOKENS', 'A_REASON_OF_TOMORROW'])('passes the finish reason %s on', async (finishReason) => {
    const emulator = await start([answersWith({ parts: [{ text: 'So' }], finishReason })]);

    const [answer] = await askOf(emulator);

    expect(answer).toMatchObject({ content: { parts: [{ text: 'So' }] }, finishReason });
    expect(answer).not.toHaveProperty('errorCode');
  });

  it.each([
    ['no candidates', { candidates: [] }, 'EMPTY_RESPONSE'],
    ['a candidate without content', { candidates: [{ index: 0 }] }, 'EMPTY_RESPONSE'],
    [
      'content without parts',
      { candidates: [{ content: { role: 'model' }, finishReason: 'STOP' }] },
      'EMPTY_RESPONSE',
    ],
    ['no content but a reason', { candidates: [{ finishReason: 'MAX_TOKENS' }] }, 'MAX_TOKENS'],
    ['something else', { this: [{ is: 'not it' }] }, 'EMPTY_RESPONSE'],
    ['candidates that are none', { candidates: 'none' }, 'EMPTY_RESPONSE'],
    ['parts that are none', { candidates: [{ content: { parts: 'none' } }] }, 'EMPTY_RESPONSE'],
  ])('reports an answer with %s', async (_what, json, errorCode) => {
    const emulator = await start([answersJson(json)]);

    expect(await askOf(emulator)).toMatchObject([{ errorCode }]);
  });

  it.each([sendsMalformedJson(), sendsMalformedJson('null'), sendsNothing()])(
    'reports a body that is no answer',
    async (step) => {
      const emulator = await start([step]);

      expect(await askOf(emulator)).toEqual([
        {
          errorCode: 'MALFORMED_RESPONSE',
          errorMessage: 'The response is not valid JSON of a model answer. Try again.',
        },
      ]);
    },
  );

  it('sends config and declarations converted, all declarations in one tool', async () => {
    const emulator = await start([saysText('Hi.')]);

    await answerOf(modelOf(emulator), {
      config: {
        temperature: 0,
        systemInstruction: 'Be brief.',
        tools: [
          { functionDeclarations: [{ name: 'a', parametersJsonSchema: { type: 'object', properties: {} } }] },
          {
            functionDeclarations: [
              { name: 'b', parametersJsonSchema: { properties: { c: { const: 'd' } } } },
            ],
          },
        ],
      },
    });

    expect(emulator.requests[0]?.body).toMatchObject({
      generationConfig: { temperature: 0 },
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      tools: [
        {
          functionDeclarations: [
            { name: 'a', parametersJsonSchema: { type: 'object', properties: {} } },
            {
              name: 'b',
              parametersJsonSchema: { type: 'object', properties: { c: { type: 'string', enum: ['d'] } } },
            },
          ],
        },
      ],
    });
  });

  it.each([
    ['gemini-2.5-flash', false],
    ['gemini-flash-latest', false],
    ['gemini-3-pro-preview', true],
    ['publishers/google/models/gemini-10', true],
  ])('says whether %s takes a response schema beside tools: %s', (model, supported) => {
    expect(new GeminiModel({ model }).supportsSchemaBesideTools).toBe(supported);
  });

  it('says at start what is missing, and touches no network where no address is stated', async () => {
    const environment = process.env;
    process.env = {};
    try {
      await expect(new GeminiModel().ready()).rejects.toThrow('Set GEMINI_API_KEY');
      await expect(new GeminiModel({ apiKey: 'test-key' }).ready()).resolves.toBeUndefined();
    } finally {
      process.env = environment;
    }
  });

  it.each([
    ['gemini-3-pro-preview', ['skip_thought_signature_validator', undefined, 'c2ln']],
    ['gemini-2.5-flash', [undefined, undefined, 'c2ln']],
  ])('goes on after calls of other models, which have no signature, with %s', async (model, signatures) => {
    await using emulator = await startGeminiEmulator([saysText('Done.')]);
    const call = (name: string, fields: object = {}): object => ({
      functionCall: { name, args: {} },
      ...fields,
    });
    const responses = ['a', 'b'].map((name) => ({ functionResponse: { name, response: {} } }));
    const contents = [
      { role: 'user', parts: [{ text: 'Go' }] },
      { role: 'model', parts: [call('a', { partMetadata: { aiSdk: {} } }), call('b')] },
      { role: 'user', parts: responses },
      { role: 'model', parts: [call('a', { thoughtSignature: 'c2ln' })] },
      { role: 'user', parts: responses.slice(0, 1) },
    ];

    await answerOf(modelOf(emulator, { model }), { contents });

    const sent = emulator.requests[0]?.body['contents'] as {
      parts: { functionCall?: object; thoughtSignature?: string }[];
    }[];
    const calls = sent.flatMap(({ parts }) => parts.filter(({ functionCall }) => functionCall !== undefined));
    expect(calls.map(({ thoughtSignature }) => thoughtSignature)).toEqual(signatures);
  });

  it('warns at start that a server is down, and fails in the first request', async () => {
    const emulator = await startGeminiEmulator([]);
    const model = modelOf(emulator, { retry: { attempts: 1 } });
    const { host } = new URL(emulator.url);
    const warnings: unknown[] = [];
    const warn = (_text: string, fields: unknown): void => void warnings.push(fields);
    const logger = { debug: warn, info: warn, warn, error: warn };

    await model.ready(logger);
    expect(warnings).toEqual([]);
    await emulator.close();
    await model.ready(logger);

    expect(warnings).toEqual([
      {
        model: 'gemini-2.5-flash',
        host,
        reason: expect.stringContaining('ECONNREFUSED') as unknown,
      },
    ]);
    await expect(answerOf(model)).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringMatching(/^No response from 127\.0\.0\.1:\d+: .*ECONNREFUSED/) as unknown,
    });
    expect(emulator.requests).toEqual([]);
  });

  it('refuses at start a host that nobody knows, except in production', async () => {
    const model = new GeminiModel({ apiKey: 'test-key', baseUrl: 'https://nonesuch.invalid' });
    const environment = process.env;
    try {
      process.env = { ...environment, NODE_ENV: 'development' };
      await expect(model.ready()).rejects.toMatchObject({
        code: 'MODEL_UNAVAILABLE',
        message: expect.stringContaining('No response from nonesuch.invalid: ') as unknown,
      });
      process.env = { ...environment, NODE_ENV: 'production' };
      await expect(model.ready()).resolves.toBeUndefined();
    } finally {
      process.env = environment;
    }
  });
});

function modelOf(emulator: GeminiEmulator, options: GeminiOptions = {}): GeminiModel {
  return new GeminiModel({ baseUrl: emulator.url, apiKey: 'test-key', ...options });
}

function askOf(emulator: GeminiEmulator): Promise<ModelResponse[]> {
  return answerOf(modelOf(emulator));
}

async function answerOf(model: GeminiModel, request: Partial<ModelRequest> = {}): Promise<ModelResponse[]> {
  const responses: ModelResponse[] = [];
  const asked = {
    contents: [{ role: 'user', parts: [{ text: 'Hello?' }] }],
    config: {},
    stream: false,
    signal: new AbortController().signal,
    ...request,
  };
  for await (const response of model.generate(asked)) responses.push(response);
  return responses;
}
