import type { CallbackChain } from '../callbacks/callback-chain.js';
import type { Content, GenerateContentConfig } from '../content/genai-types.js';
import type { ToolDispatcher } from '../dispatch/tool-dispatcher.js';
import type { AgentNode } from '../invocation/agent-node.js';
import type { ReadonlyContext } from '../invocation/callback-context.js';
import type { Model } from '../models/model.js';
import type { Awaitable } from '../runtime/awaitable.js';
import type { JsonSchema } from '../schema/json-schema.js';
import type { StandardSchema } from '../schema/standard/standard-schema.js';
import type { ToolTable } from '../tools/tool-table.js';
import type { Toolset } from '../tools/toolset.js';
import type { RequestPlan } from './request-plan.js';

/**
 * What an agent is told to do: a text in which `{key}` stands for the state, or a function of the context, whose
 * text is taken as it is.
 */
export type Instruction = string | InstructionProvider;

export type InstructionProvider = (context: ReadonlyContext) => Awaitable<string>;

/** The settings of an LLM agent's requests to the model. */
export interface LlmSettings {
  readonly instruction?: Instruction;
  /** Said to every agent of the tree. Given to the root, whatever its class; refused below it. */
  readonly globalInstruction?: Instruction;
  /** Sent as it is at the very start of the system instruction, for providers' caches; `instruction` then follows the user's message. */
  readonly staticInstruction?: string | Content;
  /**
   * Temperature, safety settings, thinking, … and, under `tools`, tools that the model runs itself, such as
   * `{ googleSearch: {} }`. Functions, system instruction and response schema have options of their own.
   */
  readonly generateContentConfig?: GenerateContentConfig;
  /** The JSON Schema of the answer. */
  readonly outputSchema?: JsonSchema;
  /** The library's schema that was written, of which `outputSchema` was made. */
  readonly outputCheck?: StandardSchema;
  /** The key of the state that the answer is written to: its text, or what it holds where there is an `outputSchema`. */
  readonly outputKey?: string;
  /** `none` shows the model the current turn alone. Default: `default`. */
  readonly includeContents?: 'default' | 'none';
  /** Model calls of one run of this agent. Default: 50. */
  readonly maxIterations?: number;
}

/** An LLM agent as the turn loop needs it. */
export interface TurnAgent extends AgentNode {
  readonly model: Model;
  readonly tools: ToolTable;
  readonly toolsets: readonly Toolset[];
  readonly callbacks: CallbackChain;
  readonly turn: LlmSettings;
  readonly dispatcher: ToolDispatcher;
}

/** An LLM agent that is ready to run: its requests are planned. */
export interface PlannedAgent extends TurnAgent {
  readonly requests: RequestPlan;
}
