export { GeminiFailedError } from './gemini-failed.error.js';
export { GeminiKeyMissingError } from './gemini-key-missing.error.js';
export { GeminiKeyRefusedError } from './gemini-key-refused.error.js';
export { GeminiModelNotFoundError } from './gemini-model-not-found.error.js';
export type { GeminiOptions, GeminiRetryOptions } from './gemini-options.js';
export { GeminiSettingsInvalidError } from './gemini-settings-invalid.error.js';
export { GeminiUnreachableError } from './gemini-unreachable.error.js';
export { GeminiEmbedder, type GeminiEmbedderOptions } from './gemini.embedder.js';
export { GeminiModel } from './gemini.model.js';
