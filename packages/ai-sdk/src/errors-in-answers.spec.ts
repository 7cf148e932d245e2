import { createGroq } from '@ai-sdk/groq';
import { createMistral } from '@ai-sdk/mistral';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createOpenRouter } from '@openrouter/ai-sdk-provider';

import { AiSdkModel } from './ai-sdk.model.js';
import type { AiSdkLanguageModel } from './specification.js';
import { RecordingServer } from './vendors.fixture.js';
import { ask, NoWaiting } from './wires.fixture.js';

const apiKey = 'test-key-0123456789';

const PACKAGES: readonly (readonly [string, (baseURL: string) => AiSdkLanguageModel])[] = [
  ['OpenRouter', (baseURL) => createOpenRouter({ baseURL, apiKey })('x/y')],
  ['Mistral', (baseURL) => createMistral({ baseURL, apiKey })('mistral-large-latest')],
  ['Groq', (baseURL) => createGroq({ baseURL, apiKey })('llama-3.3-70b-versatile')],
  ['compatible', (baseURL) => createOpenAICompatible({ baseURL, name: 'local' })('small')],
];

/** As OpenRouter documents it: status 200, and an error in the body or in an event. */
function errorOf(code: number | string, fields: object = {}): object {
  return { error: { message: 'Provider returned error', code, ...fields } };
}

const ANSWER = {
  id: '1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Now.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};

const STREAMED = [
  {
    ...ANSWER,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: { role: 'assistant', content: 'Now.' } }],
  },
  { ...ANSWER, object: 'chat.completion.chunk', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
];

describe.each(PACKAGES)('an error with status 200, through %s', (_name, create) => {
  it.each([429, 502, 503, '503'])('is repeated like status %s', async (code) => {
    await using server = await RecordingServer.start(200, [errorOf(code), ANSWER]);
    const timing = new NoWaiting();

    const responses = await ask(new AiSdkModel(create(server.url), {}, timing));

    expect(responses).toMatchObject([{ content: { parts: [{ text: 'Now.' }] } }]);
    expect(timing.waits).toHaveLength(1);
  });

  it.each([429, 502])('is repeated like status %s as the first event of a stream', async (code) => {
    await using server = await RecordingServer.start(200, [[errorOf(code)], STREAMED]);
    const timing = new NoWaiting();

    const responses = await ask(new AiSdkModel(create(server.url), {}, timing), { stream: true });

    expect(responses.at(-1)).toMatchObject({ content: { parts: [{ text: 'Now.' }] } });
    expect(timing.waits).toHaveLength(1);
  });

  it.each([
    [402, 'MODEL_FAILED', 'Add credits to the account at the provider, or use another model.'],
    [401, 'MODEL_UNAVAILABLE', 'Check the API key of the provider'],
    [400, 'MODEL_FAILED', 'Check generateContentConfig'],
  ])('is told with status %s and its cure, and not repeated', async (status, code, cure) => {
    await using server = await RecordingServer.start(200, [errorOf(status)]);

    await expect(ask(new AiSdkModel(create(server.url)))).rejects.toMatchObject({
      code,
      status,
      message: expect.stringContaining(cure) as unknown,
    });
    expect(server.bodies).toHaveLength(1);
  });

  it('tells what the provider behind a gateway said', async () => {
    const fields = { metadata: { raw: 'context too long', provider_name: 'Acme' } };
    await using server = await RecordingServer.start(200, [errorOf(400, fields)]);

    await expect(ask(new AiSdkModel(create(server.url)))).rejects.toThrow(
      'answered with HTTP 400: Provider returned error: context too long.',
    );
  });
});
