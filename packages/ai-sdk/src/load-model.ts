import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ModelConfigInvalidError } from '@adorn/core/backend';

import { checkOptions } from './ai-sdk-options.js';
import { AiSdkModel } from './ai-sdk.model.js';
import type { AiSdkModelOptions } from './ai-sdk-options.js';
import { AiSdkModelNotFoundError, AiSdkSettingsMissingError, ProviderPackageMissingError } from './errors.js';
import type { AiSdkLanguageModel } from './specification.js';

/** A provider package of the AI SDK. */
interface ProviderPackage {
  readonly packageName: string;
  /** The export that creates the provider, which reads its settings from the environment. */
  readonly exportName: string;
  /** The variable of the API key, first, and those that it had before; empty if the provider has other ways to log in. */
  readonly keys: readonly string[];
}

const BEDROCK = official('amazon-bedrock', 'createAmazonBedrock');
const TOGETHER = official('togetherai', 'createTogetherAI', 'TOGETHER_API_KEY', 'TOGETHER_AI_API_KEY');

/** The providers by the first part of a model's name. */
const PROVIDERS: ReadonlyMap<string, ProviderPackage> = new Map([
  ['amazon-bedrock', BEDROCK],
  ['anthropic', official('anthropic', 'createAnthropic', 'ANTHROPIC_API_KEY')],
  ['azure', official('azure', 'createAzure', 'AZURE_API_KEY')],
  ['bedrock', BEDROCK],
  ['cerebras', official('cerebras', 'createCerebras', 'CEREBRAS_API_KEY')],
  ['cohere', official('cohere', 'createCohere', 'COHERE_API_KEY')],
  ['deepseek', official('deepseek', 'createDeepSeek', 'DEEPSEEK_API_KEY')],
  ['fireworks', official('fireworks', 'createFireworks', 'FIREWORKS_API_KEY')],
  ['google', official('google', 'createGoogleGenerativeAI', 'GOOGLE_GENERATIVE_AI_API_KEY')],
  ['google-vertex', official('google-vertex', 'createVertex')],
  ['groq', official('groq', 'createGroq', 'GROQ_API_KEY')],
  ['mistral', official('mistral', 'createMistral', 'MISTRAL_API_KEY')],
  ['ollama', { packageName: 'ollama-ai-provider-v2', exportName: 'createOllama', keys: [] }],
  ['openai', official('openai', 'createOpenAI', 'OPENAI_API_KEY')],
  ['openai-compatible', official('openai-compatible', 'createOpenAICompatible', 'OPENAI_BASE_URL')],
  [
    'openrouter',
    {
      packageName: '@openrouter/ai-sdk-provider',
      exportName: 'createOpenRouter',
      keys: ['OPENROUTER_API_KEY'],
    },
  ],
  ['perplexity', official('perplexity', 'createPerplexity', 'PERPLEXITY_API_KEY')],
  ['together', TOGETHER],
  ['togetherai', TOGETHER],
  ['xai', official('xai', 'createXai', 'XAI_API_KEY')],
]);

/** A package of the AI SDK itself. */
function official(name: string, exportName: string, ...keys: readonly string[]): ProviderPackage {
  return { packageName: `@ai-sdk/${name}`, exportName, keys };
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The model of a name such as `openai/gpt-5-mini`: a provider, a slash and the provider's name of the model. Imports
 * the package of the provider, which reads its API key from the environment. `openai-compatible/…` is a model of the
 * server at `OPENAI_BASE_URL`.
 *
 * @throws AiSdkModelNotFoundError (`MODEL_NOT_FOUND`) for an unknown provider, ProviderPackageMissingError and
 * AiSdkSettingsMissingError (`MODEL_UNAVAILABLE`) saying what to install or to set.
 */
export async function loadAiSdkModel(name: string, options: AiSdkModelOptions = {}): Promise<AiSdkModel> {
  checkOptions(options);
  const slash = name.indexOf('/');
  const provider = PROVIDERS.get(name.slice(0, Math.max(slash, 0)));
  const modelId = name.slice(slash + 1);
  if (!provider || modelId === '')
    throw new AiSdkModelNotFoundError(name, `Providers are ${[...PROVIDERS.keys()].join(', ')}.`);
  const create = (await importProvider(name, provider, process.env))[provider.exportName];
  const key = missingKey(provider, process.env);
  if (key !== undefined) throw new AiSdkSettingsMissingError(name, `${key} is not set.`);
  if (typeof create !== 'function') throw unknownVersion(provider);
  const settings = isCompatible(provider) ? compatibleSettings(process.env) : {};
  return new AiSdkModel((create as CreateProvider)(settings)(modelId), options);
}

type CreateProvider = (settings: object) => (modelId: string) => AiSdkLanguageModel;

function isCompatible({ exportName }: ProviderPackage): boolean {
  return exportName === 'createOpenAICompatible';
}

function unknownVersion({ packageName, exportName }: ProviderPackage): ModelConfigInvalidError {
  const cure = `Install another version of it, or create the model and pass it to aiSdkModel.`;
  return new ModelConfigInvalidError(packageName, `it does not export ${exportName}`, cure);
}

/** The variable to set; undefined if it is set, or if the provider needs none. */
function missingKey({ keys }: ProviderPackage, environment: Environment): string | undefined {
  return keys.some((key) => (environment[key] ?? '').trim() !== '') ? undefined : keys[0];
}

/** A server of the user's own needs no key. */
function compatibleSettings({ OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: apiKey }: Environment): object {
  return { name: 'openai-compatible', baseURL, includeUsage: true, ...(apiKey && { apiKey }) };
}

/** From where this package is installed, else from the folder of the program. */
async function importProvider(
  name: string,
  provider: ProviderPackage,
  environment: Environment,
): Promise<Readonly<Record<string, unknown>>> {
  const { packageName } = provider;
  const program = path.join(process.cwd(), 'package.json');
  for (const find of [() => packageName, () => fileUrlOf(createRequire(program).resolve(packageName))]) {
    try {
      return (await import(find())) as Record<string, unknown>;
    } catch (error) {
      if (!isMissing(error, packageName)) throw error;
    }
  }
  throw new ProviderPackageMissingError(name, packageName, missingKey(provider, environment));
}

function fileUrlOf(file: string): string {
  return pathToFileURL(file).href;
}

/** Node and Jest word it differently. */
function isMissing(error: unknown, packageName: string): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  const isNotFound = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
  return isNotFound && String(message).includes(packageName);
}
