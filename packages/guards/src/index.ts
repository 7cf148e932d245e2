export { DATA_FLOW_RULES, type DataFlowRule } from './data-flow/data-flow-rule.js';
export { type DataFlowOptions, DataFlowPlugin } from './data-flow/data-flow.plugin.js';
export type { JudgeOptions } from './judge.js';
export { languages, type LanguagesOptions } from './languages.js';
export {
  type InjectionClassifier,
  modelClassifier,
  promptInjection,
  type PromptInjectionOptions,
} from './prompt-injection.js';
export { secrets, type SecretsOptions } from './secrets.js';
export type { TextGuard } from './text-guard.js';
export { topics, type TopicsOptions } from './topics.js';
