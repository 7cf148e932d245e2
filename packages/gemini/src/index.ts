export {
  GeminiFailedError,
  GeminiKeyMissingError,
  GeminiKeyRefusedError,
  GeminiModelNotFoundError,
  GeminiSettingsInvalidError,
  GeminiUnreachableError,
} from './errors.js';
export type { ContextCacheConfig } from './cache/context-cache-config.js';
export type { GeminiOptions, GeminiRetryOptions } from './gemini-options.js';
export { GeminiEmbedder, type GeminiEmbedderOptions } from './gemini.embedder.js';
export { GeminiModel } from './gemini.model.js';
export { GeminiLiveModel } from './live/gemini-live.model.js';
export type { GeminiLiveOptions } from './live/gemini-live-options.js';
export { GeminiLiveRefusedError } from './live/live-errors.js';
