import { createAnthropic } from '@ai-sdk/anthropic';
import { createAnthropic as createAnthropicV2 } from '@ai-sdk/anthropic-v2';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createOpenAI as createOpenAIV2 } from '@ai-sdk/openai-v2';
import { createOpenAI as createOpenAIV4 } from '@ai-sdk/openai-v4';
import type { ModelRequest, ModelResponse } from '@adorn/core';
import type { Timing } from '@adorn/core/backend';
import {
  type GeminiScript,
  type ModelEmulator,
  type ModelEmulatorOptions,
  startAnthropicEmulator,
  startOpenAiEmulator,
} from '@adorn/testing';

import { AiSdkModel } from './ai-sdk.model.js';
import type { AiSdkModelOptions } from './ai-sdk-options.js';
import type { AiSdkLanguageModel } from './specification.js';

/** A real provider package, and a server that speaks its wire. */
export interface TestedWire {
  readonly name: string;
  readonly start: (script: GeminiScript, options?: ModelEmulatorOptions) => Promise<ModelEmulator>;
  readonly model: (url: string, fetch?: typeof globalThis.fetch) => AiSdkLanguageModel;
}

const KEY = 'test-key-0123456789';

function openAi(name: string, model: TestedWire['model']): TestedWire {
  return { name, start: startOpenAiEmulator, model };
}

function anthropic(name: string, model: TestedWire['model']): TestedWire {
  return { name, start: startAnthropicEmulator, model };
}

const at = (url: string): { baseURL: string; apiKey: string } => ({ baseURL: `${url}/v1`, apiKey: KEY });

export const COMPATIBLE = openAi('an OpenAI-compatible server', (url) =>
  createOpenAICompatible({ ...at(url), name: 'local', includeUsage: true })('small'),
);
export const OPENAI_CHAT = openAi('OpenAI chat completions', (url) =>
  createOpenAI(at(url)).chat('gpt-5-mini'),
);
export const OPENAI_RESPONSES = openAi('OpenAI responses', (url) => createOpenAI(at(url))('gpt-5-mini'));
export const ANTHROPIC = anthropic('Anthropic messages', (url) =>
  createAnthropic(at(url))('claude-sonnet-4-5'),
);
export const OPENAI_V2 = openAi('OpenAI responses, specification v2', (url) =>
  createOpenAIV2(at(url))('gpt-5-mini'),
);
export const OPENAI_V4 = openAi('OpenAI responses, specification v4', (url) =>
  createOpenAIV4(at(url))('gpt-5-mini'),
);
export const ANTHROPIC_V2 = anthropic('Anthropic messages, specification v2', (url) =>
  createAnthropicV2(at(url))('claude-sonnet-4-5'),
);

/** Every wire, through every version of the specification. */
export const WIRES: readonly TestedWire[] = [
  COMPATIBLE,
  OPENAI_CHAT,
  OPENAI_RESPONSES,
  ANTHROPIC,
  OPENAI_V2,
  OPENAI_V4,
  ANTHROPIC_V2,
];

/** Timing that does not wait, and records for how long it was asked to. */
export class NoWaiting implements Timing {
  readonly waits: number[] = [];

  now(): number {
    return this.waits.reduce((sum, ms) => sum + ms, 0);
  }

  random(): number {
    return 0.5;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.waits.push(ms);
    return Promise.resolve();
  }
}

/** Servers of one spec; `closeAll` checks that each script was played to its end. */
export class TestedServers {
  private readonly running: ModelEmulator[] = [];

  async start(
    wire: TestedWire,
    script: GeminiScript,
    options?: AiSdkModelOptions,
    timing = new NoWaiting(),
  ): Promise<{
    readonly model: AiSdkModel;
    readonly server: ModelEmulator;
    readonly timing: NoWaiting;
  }> {
    const server = await wire.start(script);
    this.running.push(server);
    return { model: new AiSdkModel(wire.model(server.url), options, timing), server, timing };
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.running.splice(0).map((server) => server.close()));
  }
}

export async function ask(model: AiSdkModel, fields: Partial<ModelRequest> = {}): Promise<ModelResponse[]> {
  const responses: ModelResponse[] = [];
  for await (const response of model.generate(requestOf(fields))) responses.push(response);
  return responses;
}

export function requestOf(fields: Partial<ModelRequest> = {}): ModelRequest {
  return {
    contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
    config: {},
    stream: false,
    signal: new AbortController().signal,
    ...fields,
  };
}
