import {
  ANY,
  BOOLEAN,
  isObject,
  LIMIT,
  LIST,
  OBJECT,
  oneOf,
  type OptionRules,
  rule,
  TEXT,
} from '@adorn/schema';
import { SCHEMA } from '../tools/tool-options.js';
import type { AgentOptions } from './agent.decorator.js';

const TEXT_OR_CONTENT = rule(
  (value) => typeof value === 'string' || isObject(value),
  "Pass a text, or a content such as { parts: [{ text: '…' }] }.",
);
const INSTRUCTION = rule(
  (value) => typeof value === 'string' || typeof value === 'function',
  'Pass a text, or a function that returns one.',
);

/** The options that only an LLM agent uses. */
export const LLM_OPTIONS = {
  instruction: INSTRUCTION,
  staticInstruction: TEXT_OR_CONTENT,
  generateContentConfig: OBJECT,
  outputSchema: SCHEMA,
  outputKey: TEXT,
  delegation: oneOf('handoff', 'call'),
  includeContents: oneOf('default', 'none'),
  maxIterations: LIMIT,
  tools: LIST,
  // Checked by the plugin that asks them.
  inputGuardrails: ANY,
  outputGuardrails: ANY,
  toolGuardrails: ANY,
} as const satisfies Partial<OptionRules<AgentOptions>>;

/** The options that only some composites use, whose `faultOf` checks them. */
export const WORKFLOW_OPTIONS = {
  concurrency: ANY,
  itemsKey: ANY,
} as const satisfies Partial<OptionRules<AgentOptions>>;

/**
 * Every option of an agent, with the rule of its value: the names that are accepted and suggested, the check, and the rows of
 * the documentation come from this table. An option without a rule does not compile.
 */
export const AGENT_OPTIONS: OptionRules<AgentOptions> = {
  ...LLM_OPTIONS,
  ...WORKFLOW_OPTIONS,
  globalInstruction: INSTRUCTION,
  // A model, its name or a token: it is found when a runner is created.
  model: ANY,
  name: TEXT,
  description: TEXT,
  subAgents: LIST,
  disableTransfer: BOOLEAN,
  disallowTransferToParent: BOOLEAN,
  disallowTransferToPeers: BOOLEAN,
};

/** The options of `@agent` and `defineAgent`. */
export const AGENT_OPTION_NAMES: ReadonlySet<string> = new Set(Object.keys(AGENT_OPTIONS));
