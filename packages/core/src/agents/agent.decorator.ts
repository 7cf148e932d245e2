import { type ClassReference, updateOwnMetadata } from '../metadata/class-metadata.js';
import { noteDeclarationSite } from '../schema/declaration-site.metadata.js';
import { DERIVED, type DerivedClass } from '../schema/derived-class.js';
import { bareTool, isPlainFunction, type ToolFunction } from '../tools/tool-of-function.js';
import { refuseStandardCall } from '../tools/refuse-standard-call.js';
import { AGENT, type AgentClass, type AgentOptions } from './agent.metadata.js';
import { LlmAgent } from './llm.agent.js';

/**
 * Declares a class as an agent.
 *
 * A subclass inherits the options it does not state, but for its name and description, and adds its tools and
 * sub-agents to the inherited ones. Nothing is bound here: the class meets the container when a runner is created.
 *
 * @throws {ExperimentalDecoratorsMissingError} in a file that was compiled without the option
 */
export function agent(options?: AgentOptions): (target: AgentClass) => void;
export function agent(target: AgentClass): void;
export function agent(
  optionsOrTarget: AgentOptions | AgentClass = {},
  context?: unknown,
): ((target: AgentClass, context?: unknown) => void) | undefined {
  if (typeof optionsOrTarget === 'function') {
    refuseStandardCall('agent', context);
    declare(optionsOrTarget, {});
    return undefined;
  }
  return (target, context) => {
    refuseStandardCall('agent', context);
    declare(target, optionsOrTarget);
  };
}

function declare(target: ClassReference, options: AgentOptions): void {
  updateOwnMetadata(target, AGENT, () => options);
  noteDeclarationSite(target);
  for (const source of options.tools ?? []) if (isNamedFunction(source)) bareTool(source);
}

/** Its source is looked for in the file that lists it first. One without a name is refused when a runner is created. */
function isNamedFunction(source: unknown): source is ToolFunction {
  return isPlainFunction(source) && source.name !== '';
}

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
