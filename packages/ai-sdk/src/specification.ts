import type { LanguageModelV2, LanguageModelV3 } from '@ai-sdk/provider';

import { kindOf, ModelConfigInvalidError } from '@adorn/core/backend';

import type { CallOptions } from './request/call-options.js';

/** A model of provider specification v4, which @ai-sdk/provider 4 declares. */
export interface LanguageModelV4 {
  readonly specificationVersion: 'v4';
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: never): PromiseLike<unknown>;
  doStream(options: never): PromiseLike<{ readonly stream: ReadableStream<unknown> }>;
}

/** A language model of an AI SDK provider, such as `openai('gpt-5-mini')`. */
export type AiSdkLanguageModel = LanguageModelV2 | LanguageModelV3 | LanguageModelV4;

/** The versions of the provider specification; they differ in the shapes of files, tools and usage. */
export type Specification = 'v2' | 'v3' | 'v4';

/** A checked model. Its answers are untrusted, so they are read as unknown. */
export interface ProviderModel {
  readonly specificationVersion: Specification;
  readonly provider: string;
  readonly modelId: string;
  /** Of some providers: false if the server accepts no schema for a response. */
  readonly supportsStructuredOutputs?: boolean;
  /** Patterns of the URLs that the provider reads itself, by media type; some packages promise them. */
  readonly supportedUrls?: unknown;
  doGenerate(options: CallOptions): PromiseLike<unknown>;
  doStream(options: CallOptions): PromiseLike<unknown>;
}

const SPECIFICATIONS: ReadonlySet<unknown> = new Set(['v2', 'v3', 'v4'] satisfies Specification[]);

/** @throws ModelConfigInvalidError for a value that is not a language model of specification v2, v3 or v4. */
export function checkModel(given: unknown): ProviderModel {
  if (typeof given === 'string') {
    const cure = `Pass a model, such as openai('gpt-5-mini'), or name it: @agent({ model: 'openai/gpt-5-mini' }).`;
    throw new ModelConfigInvalidError('aiSdkModel', 'its model is a text', cure);
  }
  if (typeof given === 'function') {
    const cure = "Call it with the name of a model, such as openai('gpt-5-mini').";
    throw new ModelConfigInvalidError('aiSdkModel', 'its model is a function, which may be a provider', cure);
  }
  if (typeof given !== 'object' || given === null) throw invalid(`its model is ${kindOf(given)}`);
  const model = given as Readonly<Record<keyof ProviderModel, unknown>>;
  const { specificationVersion: version, provider, modelId } = model;
  if (!SPECIFICATIONS.has(version)) throw invalid(`its model has ${describeVersion(version)}`);
  if (typeof model.doGenerate !== 'function' || typeof model.doStream !== 'function')
    throw invalid('its model has no doGenerate and doStream');
  if (typeof provider !== 'string' || typeof modelId !== 'string')
    throw invalid('its model has no provider and modelId');
  return given as ProviderModel;
}

function describeVersion(version: unknown): string {
  return typeof version === 'string'
    ? `specificationVersion "${version.slice(0, 20)}"`
    : 'no specificationVersion';
}

function invalid(fault: string): ModelConfigInvalidError {
  const cure =
    'Pass a language model of specification v2, v3 or v4, as @ai-sdk/openai 2, 3 and 4 make them: ' +
    "aiSdkModel(openai('gpt-5-mini')).";
  return new ModelConfigInvalidError('aiSdkModel', fault, cure);
}
