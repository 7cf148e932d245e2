// What authors of services, tools and toolsets name besides `adorn`: the types of options, results and contracts.
export * from '@adorn/core/backend';
export type {
  ContextFilterOptions,
  LogDetail,
  LoggingOptions,
  PersonalDataKind,
  PersonalDataOptions,
  RedactionOptions,
  ReflectAndRetryOptions,
  SecurityDecision,
  SecurityPolicyOptions,
  SecurityRule,
} from '@adorn/plugins';
export type { LlmEventSummarizerOptions } from '@adorn/compaction';
export { codeMode, type CodeModeOptions, type RunCodeOptions } from '@adorn/sandbox/tools';
