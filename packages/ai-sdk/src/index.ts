export { aiSdkModel, AiSdkModel } from './ai-sdk.model.js';
export type { AiSdkModelOptions, AiSdkRetryOptions } from './ai-sdk-options.js';
export {
  AiSdkFailedError,
  AiSdkFileRefusedError,
  AiSdkKeyRefusedError,
  AiSdkModelNotFoundError,
  AiSdkSettingsMissingError,
  AiSdkUnreachableError,
  type ProviderFailure,
  ProviderPackageMissingError,
} from './errors.js';
export { loadAiSdkModel } from './load-model.js';
export type { AiSdkLanguageModel, LanguageModelV4 } from './specification.js';
