// The names of @adorn/core; `createRunner` is this package's own, which also makes models of names.
export * from '@adorn/core';
export { createRunner } from './create-runner.js';
export { GeminiModelProvider } from './gemini-model.provider.js';
export { AiSdkPackageMissingError, NamedModelProvider } from './named-model.provider.js';
export {
  GeminiEmbedder,
  type GeminiEmbedderOptions,
  GeminiModel,
  type GeminiOptions,
  type GeminiRetryOptions,
} from '@adorn/gemini';
