import type { Content } from '../content/genai-types.js';
import type { CallbackContext } from '../invocation/callback-context.js';
import type { ModelRequest } from '../models/model.js';
import type { ModelResponse } from '../models/model-response.js';
import type { Awaitable } from '../runtime/awaitable.js';
import type { Tool } from '../tools/tool.js';
import type { ToolContext } from '../tools/tool-context.js';

/** What a callback returns: an answer, or nothing. `null` counts as nothing. */
export type Reply<Value> = Awaitable<Value | undefined> | Awaitable<void>;

/** The callbacks that every agent has. */
export interface BaseAgentCallbacks {
  /** What it returns is the agent's only answer: the agent does not run. */
  beforeAgent?(context: CallbackContext): Reply<Content>;
  /** What it returns is said after the agent's own words. Not asked where `beforeAgent` answered, nor when the run pauses. */
  afterAgent?(context: CallbackContext): Reply<Content>;
}

/**
 * The places where an agent class, or a plugin, may step in. Each is a method to override; one that returns
 * nothing changes nothing. Plugins come first, in the order they were given, and the first answer ends the chain.
 */
export interface AgentCallbacks extends BaseAgentCallbacks {
  /** May change the request; what it returns stands for the model's answer, and the model is not called. */
  beforeModel?(request: ModelRequest, context: CallbackContext): Reply<ModelResponse>;
  /**
   * Sees the whole answer, also the answer of `onModelError`; what it returns replaces it. The pieces of a streamed
   * answer pass `onModelPiece` instead, and have been shown by then.
   */
  afterModel?(response: ModelResponse, context: CallbackContext): Reply<ModelResponse>;
  /**
   * Sees each piece of a streamed answer before it is yielded; what it returns replaces the piece, and `false` drops
   * it. The whole answer, which is stored, passes `afterModel`: to keep a text out of both, override both.
   */
  onModelPiece?(piece: ModelResponse, context: CallbackContext): Reply<ModelResponse | false>;
  /** What it returns stands for the answer that did not come. */
  onModelError?(error: unknown, request: ModelRequest, context: CallbackContext): Reply<ModelResponse>;
  /**
   * Stands inside the gates, around the run. May change `args` in place: a tool that asks for confirmation is
   * then asked again for the new ones. What it returns, unless it is nothing, is the result, and the tool does not run.
   */
  beforeTool?(tool: Tool, args: Record<string, unknown>, context: ToolContext): unknown;
  /** Sees the result before it is wrapped; what it returns, unless it is nothing, replaces it. */
  afterTool?(
    tool: Tool,
    args: Readonly<Record<string, unknown>>,
    result: unknown,
    context: ToolContext,
  ): unknown;
  /** What it returns, unless it is nothing, is the result of the failed call, and passes through `afterTool`. */
  onToolError?(
    tool: Tool,
    args: Readonly<Record<string, unknown>>,
    error: unknown,
    context: ToolContext,
  ): unknown;
}
