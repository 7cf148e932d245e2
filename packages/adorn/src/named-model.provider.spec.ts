import { loadAiSdkModel } from '@adorn/ai-sdk';
import { callsFunctions, saysText, startAnthropicEmulator, startOpenAiEmulator } from '@adorn/testing';

import { agent, createRunner, defineTool, LlmAgent, NamedModelProvider } from './index.js';

const getWeather = defineTool({
  name: 'get_weather',
  description: 'Current weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  run: () => '9 degrees',
});

describe('NamedModelProvider', () => {
  const environment = { ...process.env };

  beforeEach(() => {
    for (const name of Object.keys(process.env))
      if (/_API_KEY$/.test(name)) Reflect.deleteProperty(process.env, name);
  });

  afterEach(() => {
    for (const name of Object.keys(process.env))
      if (!(name in environment)) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, environment);
  });

  it('makes models of AI SDK providers by names such as openai/gpt-5-mini', async () => {
    const script = [callsFunctions({ name: 'get_weather', args: { city: 'Oslo' } }), saysText('Cold.')];
    await using server = await startOpenAiEmulator(script);
    Object.assign(process.env, { OPENAI_API_KEY: 'test-key', OPENAI_BASE_URL: `${server.url}/v1` });
    @agent({ description: '', model: 'openai/gpt-5-mini', tools: [getWeather] })
    class Clerk extends LlmAgent {}

    await using runner = await createRunner(Clerk);

    expect(await runner.ask('Oslo?', { userId: 'ada' })).toBe('Cold.');
    expect(server.requests[0]).toMatchObject({ model: 'gpt-5-mini', path: '/v1/responses' });
  });

  it('makes models of a server of the OpenAI API, and of Anthropic', async () => {
    await using local = await startOpenAiEmulator([saysText('Local.')]);
    await using anthropic = await startAnthropicEmulator([saysText('Claude.')]);
    Object.assign(process.env, {
      OPENAI_BASE_URL: `${local.url}/v1`,
      ANTHROPIC_API_KEY: 'test-key',
      ANTHROPIC_BASE_URL: `${anthropic.url}/v1`,
    });

    expect(await askNamed('openai-compatible/small')).toBe('Local.');
    expect(await askNamed('anthropic/claude-sonnet-4-5')).toBe('Claude.');
    expect(local.requests[0]).toMatchObject({ model: 'small', path: '/v1/chat/completions' });
  });

  it.each([
    ['mistral/mistral-small', 'MISTRAL_API_KEY'],
    ['groq/llama-3.3-70b-versatile', 'GROQ_API_KEY'],
    ['google/gemini-2.5-flash', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    ['openrouter/anthropic/claude-sonnet-4.5', 'OPENROUTER_API_KEY'],
  ])('finds the package of %s, which wants %s', async (name, variable) => {
    const [, id] = /^[a-z]+\/(.*)$/.exec(name) ?? [];
    await expect(loadAiSdkModel(name)).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringContaining(`${variable} is not set.`) as unknown,
    });
    process.env[variable] = 'test-key';

    expect((await loadAiSdkModel(name)).name).toBe(id);
  });

  it.each(['bedrock', 'amazon-bedrock'])(
    'finds the package of %s, which logs in to the cloud',
    async (name) => {
      expect((await loadAiSdkModel(`${name}/us.amazon.nova-lite-v1:0`)).name).toBe(
        'us.amazon.nova-lite-v1:0',
      );
    },
  );

  it.each([
    ['azure', '@ai-sdk/azure', 'AZURE_API_KEY'],
    ['cerebras', '@ai-sdk/cerebras', 'CEREBRAS_API_KEY'],
    ['cohere', '@ai-sdk/cohere', 'COHERE_API_KEY'],
    ['deepseek', '@ai-sdk/deepseek', 'DEEPSEEK_API_KEY'],
    ['fireworks', '@ai-sdk/fireworks', 'FIREWORKS_API_KEY'],
    ['perplexity', '@ai-sdk/perplexity', 'PERPLEXITY_API_KEY'],
    ['together', '@ai-sdk/togetherai', 'TOGETHER_API_KEY'],
    ['togetherai', '@ai-sdk/togetherai', 'TOGETHER_API_KEY'],
    ['xai', '@ai-sdk/xai', 'XAI_API_KEY'],
  ])('says what to install and to set for %s', async (name, packageName, variable) => {
    const told = `Model "${name}/m" cannot be used: ${packageName} is not installed.`;
    const install = `Run: npm install ${packageName} @adorn/ai-sdk`;

    await expect(loadAiSdkModel(`${name}/m`)).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: `${told} Set ${variable} in the environment. ${install}`,
    });
    process.env[variable] = 'test-key';
    await expect(loadAiSdkModel(`${name}/m`)).rejects.toThrow(`${told} ${install}`);
  });

  it('says what to install for Ollama, which wants no key', async () => {
    await expect(askNamed('ollama/llama3.2')).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message:
        'Model "ollama/llama3.2" cannot be used: ollama-ai-provider-v2 is not installed. ' +
        'Run: npm install ollama-ai-provider-v2 @adorn/ai-sdk',
    });
  });

  it('says what to set where the key is missing, before anything is asked', async () => {
    Reflect.deleteProperty(process.env, 'ANTHROPIC_API_KEY');

    await expect(askNamed('anthropic/claude-sonnet-4-5')).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringContaining('ANTHROPIC_API_KEY is not set. Set the variable') as unknown,
    });
  });

  it('says which providers there are for another one', async () => {
    await expect(askNamed('opanai/gpt-5')).rejects.toMatchObject({
      code: 'MODEL_NOT_FOUND',
      message: expect.stringMatching(
        /^The provider has no model "opanai\/gpt-5": Providers are .*openai, /,
      ) as unknown,
    });
  });

  it('leaves names of Gemini to Gemini, and others to nobody', () => {
    const provider = new NamedModelProvider();

    expect(provider.modelOf('models/gemini-2.5-pro')?.constructor.name).toBe('GeminiModel');
    expect(provider.modelOf('gpt-5')).toBeUndefined();
    expect(provider.modelOf('openai/')).toBeUndefined();
  });
});

async function askNamed(model: string): Promise<string> {
  @agent({ description: '', model })
  class Clerk extends LlmAgent {}
  await using runner = await createRunner(Clerk);
  return await runner.ask('Hello', { userId: 'ada' });
}
