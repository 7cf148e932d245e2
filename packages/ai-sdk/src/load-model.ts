import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ModelConfigInvalidError } from '@adorn/core';

import { AiSdkModel } from './ai-sdk.model.js';
import type { AiSdkModelOptions } from './ai-sdk-options.js';
import { AiSdkModelNotFoundError, AiSdkSettingsMissingError, ProviderPackageMissingError } from './errors.js';
import type { AiSdkLanguageModel } from './specification.js';

/** A provider package of the AI SDK. */
interface ProviderPackage {
  readonly packageName: string;
  /** The export that creates the provider, which reads its settings from the environment. */
  readonly exportName: string;
  /** The variable of the API key; undefined if the provider has other ways to log in. */
  readonly key?: string;
}

/** The providers by the first part of a model's name. */
const PROVIDERS: ReadonlyMap<string, ProviderPackage> = new Map([
  ['amazon-bedrock', { packageName: '@ai-sdk/amazon-bedrock', exportName: 'createAmazonBedrock' }],
  [
    'anthropic',
    { packageName: '@ai-sdk/anthropic', exportName: 'createAnthropic', key: 'ANTHROPIC_API_KEY' },
  ],
  ['azure', { packageName: '@ai-sdk/azure', exportName: 'createAzure', key: 'AZURE_API_KEY' }],
  ['cerebras', { packageName: '@ai-sdk/cerebras', exportName: 'createCerebras', key: 'CEREBRAS_API_KEY' }],
  ['cohere', { packageName: '@ai-sdk/cohere', exportName: 'createCohere', key: 'COHERE_API_KEY' }],
  ['deepseek', { packageName: '@ai-sdk/deepseek', exportName: 'createDeepSeek', key: 'DEEPSEEK_API_KEY' }],
  [
    'google',
    {
      packageName: '@ai-sdk/google',
      exportName: 'createGoogleGenerativeAI',
      key: 'GOOGLE_GENERATIVE_AI_API_KEY',
    },
  ],
  ['google-vertex', { packageName: '@ai-sdk/google-vertex', exportName: 'createVertex' }],
  ['groq', { packageName: '@ai-sdk/groq', exportName: 'createGroq', key: 'GROQ_API_KEY' }],
  ['mistral', { packageName: '@ai-sdk/mistral', exportName: 'createMistral', key: 'MISTRAL_API_KEY' }],
  ['openai', { packageName: '@ai-sdk/openai', exportName: 'createOpenAI', key: 'OPENAI_API_KEY' }],
  ['openai-compatible', { packageName: '@ai-sdk/openai-compatible', exportName: 'createOpenAICompatible' }],
  ['xai', { packageName: '@ai-sdk/xai', exportName: 'createXai', key: 'XAI_API_KEY' }],
]);

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
  const slash = name.indexOf('/');
  const provider = PROVIDERS.get(name.slice(0, Math.max(slash, 0)));
  const modelId = name.slice(slash + 1);
  if (provider === undefined || modelId === '')
    throw new AiSdkModelNotFoundError(name, `Providers are ${[...PROVIDERS.keys()].join(', ')}.`);
  requireSettings(name, provider, process.env);
  const create = (await importProvider(name, provider))[provider.exportName];
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

function requireSettings(name: string, provider: ProviderPackage, environment: Environment): void {
  const needed = isCompatible(provider) ? 'OPENAI_BASE_URL' : provider.key;
  if (needed !== undefined && (environment[needed] ?? '').trim() === '')
    throw new AiSdkSettingsMissingError(name, `${needed} is not set.`);
}

/** A server of the user's own needs no key. */
function compatibleSettings({ OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: apiKey }: Environment): object {
  return { name: 'openai-compatible', baseURL, includeUsage: true, ...(apiKey && { apiKey }) };
}

/** From where this package is installed, else from the folder of the program. */
async function importProvider(
  name: string,
  { packageName }: ProviderPackage,
): Promise<Readonly<Record<string, unknown>>> {
  const program = path.join(process.cwd(), 'package.json');
  for (const find of [() => packageName, () => fileUrlOf(createRequire(program).resolve(packageName))]) {
    try {
      return (await import(find())) as Record<string, unknown>;
    } catch (error) {
      if (!isMissing(error, packageName)) throw error;
    }
  }
  throw new ProviderPackageMissingError(name, packageName);
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
