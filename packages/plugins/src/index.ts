export { type ContextFilterOptions, ContextFilterPlugin } from './context-filter.plugin.js';
export { GlobalInstructionPlugin } from './global-instruction.plugin.js';
export { type LogDetail, type LoggingOptions, LoggingPlugin } from './logging.plugin.js';
export { personalData, type PersonalDataKind, type PersonalDataOptions } from './personal-data.js';
export { type RedactionOptions, RedactionPlugin } from './redaction.plugin.js';
export { type ReflectAndRetryOptions, ReflectAndRetryPlugin } from './reflect-and-retry.plugin.js';
export { SaveFilesAsArtifactsPlugin } from './save-files-as-artifacts.plugin.js';
export {
  type SecurityDecision,
  type SecurityPolicyOptions,
  SecurityPolicyPlugin,
  type SecurityRule,
} from './security-policy.plugin.js';
