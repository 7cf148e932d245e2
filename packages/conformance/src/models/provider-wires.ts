import { createAnthropic } from '@ai-sdk/anthropic';
import { createAnthropic as createAnthropicV2 } from '@ai-sdk/anthropic-v2';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createGroq } from '@ai-sdk/groq';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createOpenAI as createOpenAIV2 } from '@ai-sdk/openai-v2';
import { createOpenAI as createOpenAIV4 } from '@ai-sdk/openai-v4';
import { createOpenRouter } from '@openrouter/ai-sdk-provider';
import { type AiSdkLanguageModel, aiSdkModel } from '@adorn/ai-sdk';
import {
  type GeminiScript,
  type ModelEmulator,
  type ModelEmulatorOptions,
  startAnthropicEmulator,
  startGeminiEmulator,
  startOpenAiEmulator,
} from '@adorn/testing';
import { GeminiModel, type Model } from 'adorn';

type StartEmulator = (script: GeminiScript, options: ModelEmulatorOptions) => Promise<ModelEmulator>;

/** A provider's wire, and the package that speaks it. */
export interface ProviderWire {
  readonly name: string;
  readonly start: StartEmulator;
  /** The model, with so many attempts for each request. */
  readonly model: (url: string, attempts: number) => Model;
}

/** The wire to which the others are held. */
export const GEMINI: ProviderWire = {
  name: 'Gemini, @google/genai',
  start: startGeminiEmulator,
  model: (url, attempts) =>
    new GeminiModel({ baseUrl: url, apiKey: 'test', retry: { attempts, initialDelay: 1 } }),
};

interface Address {
  readonly baseURL: string;
  readonly apiKey: string;
}

function wire(
  name: string,
  start: StartEmulator,
  create: (address: Address) => AiSdkLanguageModel,
): ProviderWire {
  const model = (url: string, attempts: number): Model => {
    const provided = create({ baseURL: `${url}/v1`, apiKey: 'test' });
    return aiSdkModel(provided, { retry: { attempts, initialDelay: 1 } });
  };
  return { name, start, model };
}

/** The wires of the AI SDK, through the real packages and each version of the specification. */
export const AI_SDK_WIRES: readonly ProviderWire[] = [
  wire('OpenAI-compatible server, v3', startOpenAiEmulator, (address) =>
    createOpenAICompatible({ ...address, name: 'local', includeUsage: true })('small'),
  ),
  wire('OpenAI chat completions, v3', startOpenAiEmulator, (address) =>
    createOpenAI(address).chat('gpt-5-mini'),
  ),
  wire('OpenAI responses, v3', startOpenAiEmulator, (address) => createOpenAI(address)('gpt-5-mini')),
  wire('OpenAI responses, v2', startOpenAiEmulator, (address) => createOpenAIV2(address)('gpt-5-mini')),
  wire('OpenAI responses, v4', startOpenAiEmulator, (address) => createOpenAIV4(address)('gpt-5-mini')),
  wire('Anthropic messages, v3', startAnthropicEmulator, (address) =>
    createAnthropic(address)('claude-sonnet-4-5'),
  ),
  wire('Anthropic messages, v2', startAnthropicEmulator, (address) =>
    createAnthropicV2(address)('claude-sonnet-4-5'),
  ),
  wire('Groq chat completions, v3', startOpenAiEmulator, (address) =>
    createGroq(address)('llama-3.3-70b-versatile'),
  ),
  wire('OpenRouter chat completions, v3', startOpenAiEmulator, (address) =>
    createOpenRouter(address)('anthropic/claude-sonnet-4.5'),
  ),
  wire('Google generateContent, v3', startGeminiEmulator, ({ baseURL, apiKey }) =>
    createGoogleGenerativeAI({ baseURL: baseURL.replace(/v1$/, 'v1beta'), apiKey })('gemini-2.5-flash'),
  ),
];
