import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAI as createOpenAIV2 } from '@ai-sdk/openai-v2';
import { createOpenAI as createOpenAIV4 } from '@ai-sdk/openai-v4';
import type { Logger } from '@adorn/core';
import { saysText } from '@adorn/testing';

import { aiSdkModel } from './ai-sdk.model.js';
import { ANTHROPIC, ask, COMPATIBLE, OPENAI_RESPONSES, TestedServers } from './wires.fixture.js';

const servers = new TestedServers();
afterEach(() => servers.closeAll());

const openai = createOpenAI({ apiKey: 'test' });

describe('aiSdkModel', () => {
  it('takes models of the specifications v2, v3 and v4', () => {
    const v2 = createOpenAIV2({ apiKey: 'test' })('gpt-5');
    const v4 = createOpenAIV4({ apiKey: 'test' })('gpt-5');

    expect([v2, openai('gpt-5'), v4].map(({ specificationVersion }) => specificationVersion)).toEqual([
      'v2',
      'v3',
      'v4',
    ]);
    expect([v2, openai('gpt-5'), v4].map((model) => aiSdkModel(model).name)).toEqual([
      'gpt-5',
      'gpt-5',
      'gpt-5',
    ]);
  });

  it.each([
    ['gpt-5', "its model is a text. Pass a model, such as openai('gpt-5-mini'), or name it"],
    [openai, 'its model is a function, which may be a provider. Call it with the name of a model'],
    [null, 'its model is null. Pass a language model of specification v2, v3 or v4'],
    [{}, 'its model has no specificationVersion'],
    [{ specificationVersion: 'v1' }, 'its model has specificationVersion "v1"'],
    [openai.embeddingModel('text-embedding-3-small'), 'its model has no doGenerate and doStream'],
  ])('refuses %p', (model, fault) => {
    expect(() => aiSdkModel(model as never)).toThrow(fault);
  });

  it.each([
    [{ retries: 3 }, 'there is no option retries. Did you mean retry?'],
    [{ retry: { atempts: 3 } }, 'there is no option atempts. Did you mean attempts?'],
    [{ retry: { attempts: '3' } }, 'its option retry.attempts is "3". Set a number of at least 0.'],
    [{ timeout: -1 }, 'its option timeout is -1'],
    [{ timeout: Number.NaN }, 'its option timeout is null'],
    [{ dialect: 'openapi' }, 'its option dialect is "openapi". Valid: json-schema, openai, gemini.'],
    [{ providerTools: { search: {} } }, 'providerTools.search is no tool that a provider runs'],
    [{ headers: 'x' }, 'its option headers: a text. Pass an object.'],
    [{ schemaBesideTools: 1 }, 'its option schemaBesideTools is a number'],
    [null, 'its options: null. Pass an object.'],
  ])('refuses the options %p', (options, fault) => {
    expect(() => aiSdkModel(openai('gpt-5'), options as never)).toThrow(fault);
  });

  it('passes headers and provider options on, over those that it derives', async () => {
    const { model, server } = await servers.start(OPENAI_RESPONSES, [saysText('Hi.')], {
      headers: { 'x-team': 'blue' },
      providerOptions: { openai: { store: true, reasoningEffort: 'low' } },
    });

    await ask(model, { config: { thinkingConfig: { includeThoughts: true } } });

    expect(server.requests[0]?.headers['x-team']).toBe('blue');
    expect(server.requests[0]?.body).toMatchObject({
      store: true,
      reasoning: { effort: 'low', summary: 'auto' },
    });
  });

  it("turns a thinking budget into Anthropic's", async () => {
    const { model, server } = await servers.start(ANTHROPIC, [saysText('Hi.')]);

    await ask(model, { config: { thinkingConfig: { thinkingBudget: 2_000 } } });

    expect(server.requests[0]?.body['thinking']).toMatchObject({ type: 'enabled', budget_tokens: 2_000 });
  });

  it('logs once what the provider ignored', async () => {
    const { model } = await servers.start(COMPATIBLE, [saysText('Hi.'), saysText('Hi.')]);
    const warnings: unknown[] = [];
    const logger = { warn: (_message: string, facts: unknown) => warnings.push(facts) } as unknown as Logger;

    await ask(model, { config: { topK: 3 }, logger });
    await ask(model, { config: { topK: 3 }, logger, stream: true });

    expect(warnings).toEqual([{ model: 'small', warning: 'topK' }]);
  });
});

describe('tools that the provider runs', () => {
  const call = {
    type: 'tool-call',
    toolCallId: 'ws_1',
    toolName: 'web_search',
    input: '{"q":"Oslo"}',
    providerExecuted: true,
  };
  const result = { type: 'tool-result', toolCallId: 'ws_1', toolName: 'web_search', result: { hits: 3 } };
  const source = { type: 'source', sourceType: 'url', id: 's1', url: 'https://example.com', title: 'Oslo' };
  const content = [call, result, source, { type: 'text', text: 'Cold.' }];

  it('are kept as calls of the server, which no dispatcher runs, and go back as they were', async () => {
    const prompts: unknown[] = [];
    const finish = { finishReason: { unified: 'stop', raw: 'stop' }, usage: {}, warnings: [] };
    const provider = {
      specificationVersion: 'v3',
      provider: 'fake',
      modelId: 'fake',
      supportedUrls: {},
      doGenerate: ({ prompt }: { prompt: unknown }) => {
        prompts.push(prompt);
        return Promise.resolve({ content, ...finish });
      },
      doStream: () => Promise.reject(new Error('not asked')),
    };
    const model = aiSdkModel(provider as never);

    const [whole] = await ask(model);
    await ask(model, { contents: [whole?.content ?? {}] });

    expect(whole?.content?.parts).toMatchObject([
      { toolCall: { id: 'ws_1', toolType: 'web_search', args: { q: 'Oslo' } } },
      { toolResponse: { id: 'ws_1', toolType: 'web_search', response: { result: { hits: 3 } } } },
      { text: 'Cold.' },
    ]);
    expect(whole?.groundingMetadata?.groundingChunks).toEqual([
      { web: { uri: 'https://example.com', title: 'Oslo' } },
    ]);
    expect(whole?.untrustedTools).toEqual(['web_search']);
    expect(prompts[1]).toEqual([
      {
        role: 'assistant',
        content: [
          { ...call, input: { q: 'Oslo' } },
          {
            type: 'tool-result',
            toolCallId: 'ws_1',
            toolName: 'web_search',
            output: { type: 'json', value: { hits: 3 } },
          },
          { type: 'text', text: 'Cold.' },
        ],
      },
    ]);
  });
});
