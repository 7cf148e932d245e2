import {
  baseOf,
  type ClassReference,
  defineSlot,
  readMetadata,
  readOwnMetadata,
} from '../metadata/class-metadata.js';
import type { ServiceToken } from '../invocation/invocation-services.js';
import type { Model } from '../models/model.js';
import { optionNames } from '../schema/nearest-names.js';
import type { ExplicitSchema } from '../schema/standard/standard-schema.js';
import type { ToolFunction } from '../tools/tool-of-function.js';
import type { Tool } from '../tools/tool.js';
import type { Toolset } from '../tools/toolset.js';
import type { LlmSettings } from '../turn/turn-agent.js';
import { BaseAgent } from './base.agent.js';

/** A class of agents whose answers are of that type; `AgentClass<unknown>` is any. */
export type AgentClass<Output = string> = ClassReference<BaseAgent<Output>>;

/** What may stand among an agent's tools: a service class with `@tool` methods, a function, a tool, or a toolset. */
export type ToolSource = ClassReference | ToolFunction | Tool | Toolset;

/** What `@agent` can be told. Everything may be left out. */
export interface AgentOptions<Schema extends ExplicitSchema = ExplicitSchema> extends Omit<
  LlmSettings,
  'outputSchema' | 'outputCheck'
> {
  /**
   * The form of the answer: JSON Schema, or a schema of a library such as zod. A library also checks the answer where
   * the model gives it by a call; what is kept is the JSON that the model gave. The class says what it
   * describes: `extends LlmAgent<Report>`.
   */
  readonly outputSchema?: Schema;
  /** What others call it. Default: the class's name in snake_case. Never inherited. */
  readonly name?: string;
  /** What others know of it. Default: the class's doc comment. Never inherited. */
  readonly description?: string;
  /** A model, its name, or what it is bound under. Default: the parent's, or what is bound as `Model`. */
  readonly model?: string | Model | ServiceToken<Model>;
  /** Added to those of the class it extends. */
  readonly tools?: readonly ToolSource[];
  /** Added to those of the class it extends. One class may stand under several parents. */
  readonly subAgents?: readonly AgentClass<unknown>[];
  /** Neither hands over nor is handed to. Default: false. */
  readonly disableTransfer?: boolean;
  /** Does not hand back to its parent. Default: false. */
  readonly disallowTransferToParent?: boolean;
  /** Does not hand over to its siblings. Default: false. */
  readonly disallowTransferToPeers?: boolean;
}

/** The options that only an LLM agent has a use for. */
export const LLM_OPTIONS = {
  instruction: true,
  staticInstruction: true,
  generateContentConfig: true,
  outputSchema: true,
  outputKey: true,
  includeContents: true,
  maxIterations: true,
  tools: true,
} as const satisfies Partial<Record<keyof AgentOptions, true>>;

export const AGENT_OPTIONS = optionNames<AgentOptions>({
  ...LLM_OPTIONS,
  globalInstruction: true,
  model: true,
  name: true,
  description: true,
  subAgents: true,
  disableTransfer: true,
  disallowTransferToParent: true,
  disallowTransferToPeers: true,
});

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

/** Whether a value is a class of agents, of this copy of Adorn or, where `@agent` stands on it, of another. */
export function isAgentClass(value: unknown): value is AgentClass<unknown> {
  if (typeof value !== 'function') return false;
  if (value.prototype instanceof BaseAgent) return true;
  let target: ClassReference | undefined = value as unknown as ClassReference;
  while (target !== undefined && readOwnMetadata(target, AGENT) === undefined) target = baseOf(target);
  return target !== undefined;
}

/** The options of a class as it and its bases state them. */
export function agentOptionsOf(target: ClassReference): AgentOptions {
  const options = readMetadata(target, AGENT);
  const isOwn = readOwnMetadata(target, AGENT) !== undefined;
  return isOwn ? options : { ...options, name: undefined, description: undefined };
}
