// The names of @adorn/core; `createRunner` is this package's own, which also makes models of names.
export * from '@adorn/core';
export { createRunner } from './create-runner.js';
export { GeminiModelProvider } from './gemini-model.provider.js';
export { NamedModelProvider } from './named-model.provider.js';
export { GeminiEmbedder, GeminiModel } from '@adorn/gemini';
export {
  ContextFilterPlugin,
  GlobalInstructionPlugin,
  LoggingPlugin,
  personalData,
  RedactionPlugin,
  ReflectAndRetryPlugin,
  SaveFilesAsArtifactsPlugin,
  SecurityPolicyPlugin,
} from '@adorn/plugins';
export { LlmEventSummarizer } from '@adorn/compaction';
export { runCode } from '@adorn/sandbox/tools';
