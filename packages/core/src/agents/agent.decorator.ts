import { type ClassReference, updateOwnMetadata } from '../metadata/class-metadata.js';
import { noteDeclarationSite } from '../schema/declaration-site.js';
import { DERIVED, type DerivedClass } from '../schema/derived-class.js';
import { bareTool, isPlainFunction, type ToolFunction } from '../tools/tool-of-function.js';
import type { ExplicitSchema, OutputOf, StandardSchema } from '../schema/standard/standard-schema.js';
import { refuseStandardCall } from '../tools/refuse-standard-call.js';
import { AGENT, type AgentClass, type AgentOptions } from './agent.metadata.js';
import { LlmAgent } from './llm.agent.js';

/** The output type that a class with this `outputSchema` must declare; any type if the schema carries none. */
export type OutputFor<Schema extends ExplicitSchema> = Schema extends StandardSchema
  ? OutputOf<Schema>
  : Schema extends { readonly type: 'object' | 'array' }
    ? object
    : unknown;

/**
 * Declares a class as an agent. A class with an `outputSchema` states the output type: `extends LlmAgent<Report>`.
 *
 * A subclass inherits all options except the name and the description, and adds its tools and sub-agents to the
 * inherited ones. The class is bound to the container when a runner is created.
 *
 * @throws {ExperimentalDecoratorsMissingError} if the file was compiled without `experimentalDecorators`
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

/** The options of `defineAgent`. The name is required. */
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
/** @param derived the record that `adorn build` inserts */
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
