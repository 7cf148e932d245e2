import { DERIVED, type DerivedClass } from '../schema/derived-class.js';
import { agent } from './agent.decorator.js';
import type { AgentClass, AgentOptions } from './agent.metadata.js';
import { LlmAgent } from './llm.agent.js';

/** The options of an agent that is no class of one's own: it must be named. */
export type DefinedAgentOptions = AgentOptions & { readonly name: string };

/** An agent class made by {@link defineAgent}; its `subAgents` may be set until a runner is created. */
export interface DefinedAgentClass extends AgentClass {
  subAgents: readonly AgentClass[];
}

/** An LLM agent without a class statement: the programmatic twin of `@agent`. */
export function defineAgent(options: DefinedAgentOptions): DefinedAgentClass;
/** @param derived what `adorn build` found, which writes it there */
export function defineAgent(options: DefinedAgentOptions, derived?: DerivedClass): DefinedAgentClass {
  const defined = class extends LlmAgent {};
  Object.defineProperty(defined, 'name', { value: options.name });
  let { subAgents = [] } = options;
  const live = { description: '', ...options };
  Object.defineProperty(live, 'subAgents', { enumerable: true, get: () => subAgents });
  agent(live)(defined);
  if (derived !== undefined) Object.defineProperty(defined, DERIVED, { value: derived });
  Object.defineProperty(defined, 'subAgents', {
    get: () => subAgents,
    set: (added: readonly AgentClass[]) => (subAgents = added),
  });
  return defined as unknown as DefinedAgentClass;
}
