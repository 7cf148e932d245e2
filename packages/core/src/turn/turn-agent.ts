import type { CallbackChain } from '../gates/callbacks/callback-chain.js';
import type { Content, GenerateContentConfig } from '../events/genai-types.js';
import type { ToolDispatcher } from '../gates/tool-dispatcher.js';
import type { Event } from '../events/event.js';
import type { AgentNode } from '../run/agent-node.js';
import type { ReadonlyContext } from '../run/callback-context.js';
import type { InvocationContext } from '../run/invocation-context.js';
import type { ModelResponse } from '../models/model-response.js';
import type { Model } from '../models/model.js';
import type { Awaitable } from '../runtime/awaitable.js';
import type { JsonSchema, StandardSchema } from '@adorn/schema';
import type { ToolTable } from '../tools/tool-table.js';
import type { ClosedTools } from '../tools/closed-tools.js';
import type { Toolset } from '../tools/toolsets/toolset.js';
import type { ModelRequestPlan } from './model-request.js';
import type { CallSource } from './step.js';

/**
 * The instruction of an agent: a text in which `{key}` is replaced by the state, or a function of the context whose
 * text is used unchanged.
 */
export type Instruction = string | InstructionProvider;

/** Builds an instruction for each request. The text is sent unchanged: `{key}` is not replaced. */
export type InstructionProvider = (context: ReadonlyContext) => Awaitable<string>;

/** The settings of an LLM agent's requests to the model. */
export interface LlmSettings {
  /** The system instruction: a text, in which `{key}` stands for a key of the state, or a function. Default: none. */
  readonly instruction?: Instruction;
  /** An instruction for every agent of the tree. Only allowed on the root agent. */
  readonly globalInstruction?: Instruction;
  /** Sent unchanged at the start of the system instruction, for the provider's cache; `instruction` then follows the user's message. */
  readonly staticInstruction?: string | Content;
  /**
   * Temperature, safety settings, thinking, … and, under `tools`, tools that the provider runs, such as
   * `{ googleSearch: {} }`. Functions, system instruction and response schema have separate options.
   */
  readonly generateContentConfig?: GenerateContentConfig;
  /** The JSON Schema of the answer. */
  readonly outputSchema?: JsonSchema;
  /** The schema of a library that `outputSchema` was converted from. */
  readonly outputCheck?: StandardSchema;
  /** The state key that the answer is written to: its text, or its parsed value if there is an `outputSchema`. */
  readonly outputKey?: string;
  /** `none` sends only the current turn to the model. Default: `default`. */
  readonly includeContents?: 'default' | 'none';
  /** Maximum number of model calls of one run of this agent, or of rounds of a `LoopAgent`. Default: 50. */
  readonly maxIterations?: number;
}

/** An LLM agent for the turn loop. */
export interface TurnAgent extends AgentNode {
  readonly model: Model;
  readonly tools: ToolTable;
  readonly toolsets: readonly Toolset[];
  /** The closed tools. The model gets them after it has opened them. */
  readonly boxes: readonly ClosedTools[];
  readonly callbacks: CallbackChain;
  readonly turn: LlmSettings;
  readonly dispatcher: ToolDispatcher;
}

/** An LLM agent with the plan of its requests, ready to run. */
export interface PlannedAgent extends TurnAgent {
  readonly requests: ModelRequestPlan;
  /**
   * Makes the calls in place of the model; undefined for an agent whose model does.
   *
   * @internal
   */
  readonly callSource: CallSource | undefined;
}

/** The reasons for a run to end without an answer. Each is an event with this code, never an exception. */
const ENDS = {
  CANCELLED: 'invocation was cancelled',
  INVALID_CALL_LIMIT:
    'the model made as many answers in a row as maxInvalidCalls allows, each with calls of an unknown tool or invalid ' +
    'arguments only',
  BYTE_LIMIT: 'invocation exhausted its budget of bytes of tool results',
  COST_LIMIT: 'invocation exhausted its budget of US dollars',
  LLM_CALL_LIMIT: 'invocation exhausted its budget of model calls',
  MAX_TOKENS:
    'the output limit of the model cut off the calls of two answers in a row: raise maxOutputTokens, or have the model ' +
    'write less in one call',
  MAX_ITERATIONS: 'agent exhausted its iteration budget',
  TIME_LIMIT: 'invocation exhausted its budget of time',
  TOKEN_LIMIT: 'invocation exhausted its budget of tokens',
  TRANSFER_LIMIT: 'invocation exhausted its budget of transfers between agents',
} as const;

/** The end of a run after too many recovery attempts. */
export const RECOVERY_LIMIT = Object.freeze({
  errorCode: 'RECOVERY_LIMIT',
  errorMessage: 'the run did not end in any of the recovery attempts',
});

export type EndCode = keyof typeof ENDS;

/** The end of a run that was open for longer than it is recovered. */
export const RUN_ABANDONED = Object.freeze({
  errorCode: 'RUN_ABANDONED',
  errorMessage: 'the process of the run was gone for longer than its run is recovered',
});

/** The same as a model response, for a model that was not called. */
export function endResponse(errorCode: EndCode): ModelResponse & { readonly errorMessage: string } {
  return { errorCode, errorMessage: ENDS[errorCode] };
}

/** The event of an early end. A run that was cancelled by its time limit has the code `TIME_LIMIT`. */
export function endEvent(
  agent: AgentNode,
  context: Pick<InvocationContext, 'event'> & Partial<Pick<InvocationContext, 'budget'>>,
  code: EndCode,
): Event {
  const errorCode = code === 'CANCELLED' && context.budget?.isTimeOver === true ? 'TIME_LIMIT' : code;
  return context.event({ author: agent.name, errorCode, errorMessage: ENDS[errorCode], turnComplete: true });
}
