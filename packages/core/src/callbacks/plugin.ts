import type { Content } from '../content/genai-types.js';
import type { CallbackContext } from '../invocation/callback-context.js';
import type { ModelRequest } from '../models/model-request.js';
import type { ModelResponse } from '../models/model-response.js';
import type { ToolContext } from '../tools/tool-context.js';
import type { Tool } from '../tools/tool.js';
import type { AgentCallbacks, Reply } from './agent-callbacks.js';

/** Steps in for every agent of a runner: extend it and override what you need; {@link AgentCallbacks} says what each does. */
export abstract class Plugin implements AgentCallbacks {
  /** Unique among the plugins of a runner. */
  abstract readonly name: string;
  beforeAgent?(context: CallbackContext): Reply<Content>;
  afterAgent?(context: CallbackContext): Reply<Content>;
  beforeModel?(request: ModelRequest, context: CallbackContext): Reply<ModelResponse>;
  afterModel?(response: ModelResponse, context: CallbackContext): Reply<ModelResponse>;
  onModelPiece?(piece: ModelResponse, context: CallbackContext): Reply<ModelResponse | false>;
  onModelError?(error: unknown, request: ModelRequest, context: CallbackContext): Reply<ModelResponse>;
  beforeTool?(tool: Tool, args: Record<string, unknown>, context: ToolContext): unknown;
  afterTool?(
    tool: Tool,
    args: Readonly<Record<string, unknown>>,
    result: unknown,
    context: ToolContext,
  ): unknown;
  onToolError?(
    tool: Tool,
    args: Readonly<Record<string, unknown>>,
    error: unknown,
    context: ToolContext,
  ): unknown;
}
