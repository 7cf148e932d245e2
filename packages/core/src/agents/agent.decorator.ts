import type { ServiceToken } from '../run/invocation-services.js';
import {
  baseOf,
  type ClassReference,
  defineSlot,
  readMetadata,
  readOwnMetadata,
  updateOwnMetadata,
  DERIVED,
  type DerivedClass,
  invalidOption,
  isObject,
  shown,
  sourceName,
  type ExplicitSchema,
  type OutputOf,
  type StandardSchema,
} from '@adorn/schema';
import { noteDeclarationSites } from '../metadata/declaration-site.js';
import type { Model } from '../models/model.js';
import type { GuardrailOptions } from './guardrails/guardrail.js';
import { refuseStandardCall, type StandardDecoratorCall } from '../tools/tool.decorator.js';
import type { AiSdkToolSet } from '../tools/third-party/ai-sdk.tool.js';
import type { LangChainTool } from '../tools/third-party/langchain.tool.js';
import { snakeCase } from '../tools/tool-table.js';
import { bareTool, isPlainFunction, type ToolFunction } from '../tools/define-tool.js';
import type { Tool } from '../tools/tool.js';
import type { Toolset } from '../tools/toolsets/toolset.js';
import type { LlmSettings } from '../turn/turn-agent.js';
import { AGENT_OPTIONS } from './agent-options.js';
import type { AgentToolSource } from './agent.tool.js';
import type { ClosedToolSource } from './closed-tool.source.js';
import { BaseAgent } from './base.agent.js';
import { LlmAgent } from './llm.agent.js';
import { AgentConfigInvalidError } from './tree/errors.js';

/** An agent class with that output type; `AgentClass<unknown>` is any agent class. */
export type AgentClass<Output = string> = ClassReference<BaseAgent<Output>>;

/**
 * An entry of an agent's `tools`: a class with `@tool` methods, a function, a tool, a toolset, a class that extends `Tool`
 * or `Toolset`, which is constructed with its dependencies, or an agent class, also by `agentTool`; a tool of LangChain; or
 * tools of Vercel's AI SDK in a record, whose keys are their names; or sources whose tools the model has to open first.
 */
export type ToolSource =
  | ClassReference
  | AgentToolSource
  | ClosedToolSource
  | ToolFunction
  | Tool
  | Toolset
  | LangChainTool
  | AiSdkToolSet;

/** The options of `@agent`. All are optional. */
export interface AgentOptions<Schema extends ExplicitSchema = ExplicitSchema>
  extends Omit<LlmSettings, 'outputSchema' | 'outputCheck'>, GuardrailOptions {
  /**
   * The schema of the answer: JSON Schema, or a schema of a library such as zod. The library also validates an answer
   * that the model gives as a tool call; the stored answer is the model's JSON. Declare its type on the class:
   * `extends LlmAgent<Report>`.
   */
  readonly outputSchema?: Schema;
  /** The agent's name. Default: the class's name in snake_case. Never inherited. */
  readonly name?: string;
  /** The description shown to other agents. Default: the class's doc comment. Never inherited. */
  readonly description?: string;
  /**
   * A model, its name, or its service token; null if the tools of the agent are only called, by `runner.call`: a message
   * to it then fails with `MODEL_MISSING`. Default: the parent's model, or the service bound to `Model`.
   */
  readonly model?: string | Model | ServiceToken<Model> | null;
  /** Added to the tools of the base class. */
  readonly tools?: readonly ToolSource[];
  /** Added to the sub-agents of the base class. A class may have several parents. */
  readonly subAgents?: readonly AgentClass<unknown>[];
  /** How many sub-agents of a `ParallelAgent` (default: all) or runs of a `MapAgent` (default: 8) run at a time. */
  readonly concurrency?: number;
  /** For a `MapAgent`: the state key of the list whose items its sub-agent works on. */
  readonly itemsKey?: string;
  /**
   * Who continues the conversation after the parent has transferred to this agent. `handoff`: this agent, which may
   * hand it back. `call`: the parent, whose model is called again when this agent is done; until then this agent
   * transfers only to agents below it. Default: `handoff`.
   */
  readonly delegation?: 'handoff' | 'call';
  /** The agent neither transfers nor is transferred to. Default: false. */
  readonly disableTransfer?: boolean;
  /** The agent does not transfer to its parent. Default: false. */
  readonly disallowTransferToParent?: boolean;
  /** The agent does not transfer to its siblings. Default: false. */
  readonly disallowTransferToPeers?: boolean;
}

/** The options that are read when the class is declared. */
const LISTS = { tools: AGENT_OPTIONS.tools, subAgents: AGENT_OPTIONS.subAgents };

export const AGENT = defineSlot<AgentOptions>({
  name: 'agent',
  empty: () => ({}),
  overlay: ({ name: _name, description: _description, ...inherited }, own) => ({
    ...inherited,
    ...own,
    tools: [...(inherited.tools ?? []), ...(own.tools ?? [])],
    subAgents: [...(inherited.subAgents ?? []), ...(own.subAgents ?? [])],
  }),
});

/** True for an agent class, also of another copy of Adorn if the class has `@agent`. */
export function isAgentClass(value: unknown): value is AgentClass<unknown> {
  if (typeof value !== 'function') return false;
  return value.prototype instanceof BaseAgent || isDeclaredAgent(value as unknown as ClassReference);
}

/** True if the class or one that it extends has `@agent`. */
export function isDeclaredAgent(target: ClassReference | undefined): boolean {
  if (target === undefined) return false;
  return readOwnMetadata(target, AGENT) !== undefined || isDeclaredAgent(baseOf(target));
}

/** The options of a class, merged with those of its base classes. */
export function agentOptionsOf(target: ClassReference): AgentOptions {
  const options = readMetadata(target, AGENT);
  const isOwn = readOwnMetadata(target, AGENT) !== undefined;
  return isOwn ? options : { ...options, name: undefined, description: undefined };
}

/** The name of an agent: as stated, else that of its class. */
export function agentNameOf(
  target: AgentClass<unknown>,
  options: AgentOptions = agentOptionsOf(target),
): string {
  return options.name ?? snakeCase(sourceName(target));
}

/** The output type that a class with this `outputSchema` must declare; any type if the schema carries none. */
export type OutputFor<Schema extends ExplicitSchema> = Schema extends StandardSchema
  ? OutputOf<Schema>
  : Schema extends { readonly type: 'object' | 'array' }
    ? object
    : unknown;

/** What a class lacks whose output type is not that of its `outputSchema`. TypeScript prints it, and with it the cure. */
export interface OutputTypeMissing<Cure extends string> {
  /** What to write, printed by TypeScript in its error. A type only. */
  readonly cure: Cure;
}

/** Nothing to add for a class with that output type. */
export type DeclaredOutput<Target, Output> = [Target] extends [AgentClass<Output>]
  ? unknown
  : OutputTypeMissing<'write the type of the outputSchema on the class: extends LlmAgent<{ … }>, or z.infer<typeof schema>'>;

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
): StandardDecoratorCall &
  (<Target extends AgentClass<unknown>>(target: Target & DeclaredOutput<Target, OutputFor<Schema>>) => void);
/**
 * The call of a standard decorator. It throws, and exists so that TypeScript shows the cure at a class of a file that
 * is compiled without `experimentalDecorators`.
 */
export function agent(
  target: AgentClass<unknown>,
  context: DecoratorContext,
): ReturnType<StandardDecoratorCall>;
/** Without options and without parentheses: `@agent class Support …`. */
export function agent(target: AgentClass<unknown>): void;
export function agent(optionsOrTarget: AgentOptions | AgentClass<unknown> = {}, context?: unknown): unknown {
  if (isClass(optionsOrTarget)) {
    refuseStandardCall('agent', context);
    declare(optionsOrTarget, {});
    return undefined;
  }
  return (target: AgentClass<unknown>, itsContext?: unknown) => {
    refuseStandardCall('agent', itsContext);
    declare(target, optionsOrTarget);
  };
}

/** An agent class that was compiled to ES5 is a plain function. */
function isClass(value: AgentOptions | AgentClass<unknown>): value is AgentClass<unknown> {
  return typeof value === 'function' && (!isPlainFunction(value) || isAgentClass(value));
}

/** The lists are read when the class is declared; the other options are checked when a runner is created. */
function declare(target: ClassReference, options: AgentOptions): void {
  const wrong = isObject(options)
    ? invalidOption(options, LISTS)
    : {
        fault: `its options are ${shown(options)}`,
        cure: "Pass an object, such as { model: 'gemini-2.5-flash' }.",
      };
  if (wrong !== undefined) throw new AgentConfigInvalidError(target.name, wrong.fault, wrong.cure);
  updateOwnMetadata(target, AGENT, () => options);
  noteDeclarationSites(target);
  for (const source of options.tools ?? []) if (isNamedFunction(source)) bareTool(source);
}

/**
 * The compiler looks for its source in the file that lists it first. A function without a name is refused when a
 * runner is created.
 */
function isNamedFunction(source: unknown): source is ToolFunction {
  return isPlainFunction(source) && source.name !== '';
}

/** The options of `defineAgent`. The name is required. */
export type DefinedAgentOptions<Schema extends ExplicitSchema = ExplicitSchema> = AgentOptions<Schema> & {
  readonly name: string;
};

/** An agent class made by {@link defineAgent}; its `subAgents` may be set until a runner is created. */
export type DefinedAgentClass<Output = string> = AgentClass<Output> & {
  subAgents: readonly AgentClass<unknown>[];
};

/** An LLM agent without a class statement: the programmatic twin of `@agent`. */
export function defineAgent<const Schema extends ExplicitSchema>(
  options: DefinedAgentOptions<Schema>,
): DefinedAgentClass<ExplicitSchema extends Schema ? string : OutputFor<Schema>>;
/** @param derived the record that `adorn build` inserts */
export function defineAgent(options: DefinedAgentOptions, derived?: DerivedClass): DefinedAgentClass {
  if (!isObject(options) || typeof options.name !== 'string') {
    const found = isObject(options) ? `name is ${shown(options.name)}` : `its options are ${shown(options)}`;
    throw new AgentConfigInvalidError('defineAgent', found, "Pass an object with a name: { name: 'desk' }.");
  }
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
