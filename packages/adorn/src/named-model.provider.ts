import type { loadAiSdkModel } from '@adorn/ai-sdk';
import {
  AdornError,
  type Logger,
  Model,
  ModelProvider,
  type ModelRequest,
  type ModelResponse,
} from '@adorn/core';

import { GeminiModelProvider } from './gemini-model.provider.js';

/** `openai/gpt-5-mini`: a provider of the AI SDK, a slash and the provider's name of the model. */
const OF_AI_SDK = /^[a-z][a-z0-9-]*\/./;

/**
 * Makes models of names: Gemini models, and with the package `@adorn/ai-sdk` models of AI SDK providers, such as
 * `openai/gpt-5-mini` or `anthropic/claude-sonnet-4-5`.
 */
export class NamedModelProvider extends ModelProvider {
  private readonly gemini = new GeminiModelProvider();

  modelOf(name: string): Model | undefined {
    const gemini = this.gemini.modelOf(name);
    if (gemini) return gemini;
    return OF_AI_SDK.test(name) ? new NamedAiSdkModel(name) : undefined;
  }
}

/** A model whose package is imported when it is first used. */
class NamedAiSdkModel extends Model {
  private model: Promise<Model> | undefined;

  constructor(readonly name: string) {
    super();
  }

  /** Asked before the package is imported. */
  override get supportsSchemaBesideTools(): boolean {
    return /^(openai|azure|anthropic)\//.test(this.name);
  }

  /** @throws {AdornError} (`MODEL_UNAVAILABLE`, `MODEL_NOT_FOUND`) saying what to install or to set */
  override async ready(logger?: Logger): Promise<void> {
    await (await this.load()).ready(logger);
  }

  async *generate(request: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    yield* (await this.load()).generate(request);
  }

  private load(): Promise<Model> {
    return (this.model ??= loadModel(this.name));
  }
}

/** Not a literal in `import()`: bundlers would refuse programs that have not installed the package. */
const AI_SDK = ['@adorn', 'ai-sdk'].join('/');

interface AiSdk {
  readonly loadAiSdkModel: typeof loadAiSdkModel;
}

async function loadModel(name: string): Promise<Model> {
  const aiSdk = (await import(AI_SDK).catch((error: unknown) => {
    const { code } = error as { readonly code?: unknown };
    throw code === 'ERR_MODULE_NOT_FOUND' ? new AiSdkPackageMissingError(name) : error;
  })) as AiSdk;
  return aiSdk.loadAiSdkModel(name);
}

/** Providers whose package is not `@ai-sdk/` and their name. */
const OTHER_PACKAGES: Readonly<Record<string, string>> = {
  bedrock: '@ai-sdk/amazon-bedrock',
  ollama: 'ollama-ai-provider-v2',
  openrouter: '@openrouter/ai-sdk-provider',
  together: '@ai-sdk/togetherai',
};

/** A model of an AI SDK provider is named, and `@adorn/ai-sdk` is not installed. */
class AiSdkPackageMissingError extends AdornError {
  readonly code = 'MODEL_UNAVAILABLE';

  constructor(model: string) {
    const provider = model.slice(0, model.indexOf('/'));
    const packageName = OTHER_PACKAGES[provider] ?? `@ai-sdk/${provider}`;
    super(
      `Model "${model}" cannot be used: @adorn/ai-sdk is not installed. ` +
        `Run: npm install ${packageName} @adorn/ai-sdk`,
    );
  }
}
