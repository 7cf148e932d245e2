import { type ClassReference, updateOwnMetadata } from '../metadata/class-metadata.js';
import { noteDeclarationSite } from '../schema/declaration-site.metadata.js';
import { DERIVED, type DerivedClass } from '../schema/derived-class.js';
import { bareTool, isPlainFunction, type ToolFunction } from '../tools/tool-of-function.js';
import type { ExplicitSchema, OutputOf, StandardSchema } from '../schema/standard/standard-schema.js';
import { refuseStandardCall } from '../tools/refuse-standard-call.js';
import { AGENT, type AgentClass, type AgentOptions } from './agent.metadata.js';
import { LlmAgent } from './llm.agent.js';

/** What a class may declare as its output that has this `outputSchema`. Without one, or without a type in it: anything. */
export type OutputFor<Schema extends ExplicitSchema> = Schema extends StandardSchema
  ? OutputOf<Schema>
  : Schema extends { readonly type: 'object' | 'array' }
    ? object
    : unknown;

/**
 * Declares a class as an agent. A class with an `outputSchema` says what its answers are: `extends LlmAgent<Report>`.
 *
 * A subclass inherits the options it does not state, but for its name and description, and adds its tools and
 * sub-agents to the inherited ones. Nothing is bound here: the class meets the container when a runner is created.
 *
 * @throws {ExperimentalDecoratorsMissingError} in a file that was compiled without the option
 */
export function agent<const Schema extends ExplicitSchema>(
  options?: AgentOptions<Schema>,
): (target: AgentClass<OutputFor<Schema>>) => void;
export function agent(target: AgentClass<unknown>): void;
export function agent(
  optionsOrTarget: AgentOptions | AgentClass<unknown> = {},
  context?: unknown,
): ((target: AgentClass<unknown>, context?: unknown) => void) | undefined {
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
export type DefinedAgentOptions<Schema extends ExplicitSchema = ExplicitSchema> = AgentOptions<Schema> & {
  readonly name: string;
};

/** An agent class made by {@link defineAgent}; its `subAgents` may be set until a runner is created. */
export interface DefinedAgentClass<Output = string> extends AgentClass<Output> {
  subAgents: readonly AgentClass<unknown>[];
}

/** An LLM agent without a class statement: the programmatic twin of `@agent`. */
export function defineAgent<const Schema extends ExplicitSchema>(
  options: DefinedAgentOptions<Schema>,
): DefinedAgentClass<ExplicitSchema extends Schema ? string : OutputFor<Schema>>;
/** @param derived what `adorn build` found, which writes it there */
export function defineAgent(options: DefinedAgentOptions, derived?: DerivedClass): DefinedAgentClass {
  const defined = class extends LlmAgent<unknown> {};
  Object.defineProperty(defined, 'name', { value: options.name });
  let { subAgents = [] } = options;
  const live = { description: '', ...options };
  Object.defineProperty(live, 'subAgents', { enumerable: true, get: () => subAgents });
  agent(live)(defined);
  if (derived !== undefined) Object.defineProperty(defined, DERIVED, { value: derived });
  Object.defineProperty(defined, 'subAgents', {
    get: () => subAgents,
    set: (added: readonly AgentClass<unknown>[]) => (subAgents = added),
  });
  return defined as unknown as DefinedAgentClass;
}
