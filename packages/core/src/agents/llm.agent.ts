import type { Reply } from '../callbacks/agent-callbacks.js';
import type { ToolDispatcher } from '../dispatch/tool-dispatcher.js';
import type { Event } from '../events/event.js';
import type { CallbackContext } from '../invocation/callback-context.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import type { ModelRequest } from '../models/model-request.js';
import type { ModelResponse } from '../models/model-response.js';
import type { Model } from '../models/model.js';
import type { ToolContext } from '../tools/tool-context.js';
import type { ToolTable } from '../tools/tool-table.js';
import type { Tool } from '../tools/tool.js';
import type { Toolset } from '../tools/toolset.js';
import type { RequestPlan } from '../turn/request-plan.js';
import type { Instruction, PlannedAgent, TurnOptions } from '../turn/turn-agent.js';
import { runTurns } from '../turn/turn-loop.js';
import { BaseAgent } from './base.agent.js';

/** An agent that asks a model and runs the tools it calls. */
export abstract class LlmAgent extends BaseAgent implements PlannedAgent {
  /** What the agent is told to do. A field of the class beats the option of `@agent`. */
  declare instruction?: Instruction;

  declare readonly model: Model;
  declare readonly tools: ToolTable;
  declare readonly toolsets: readonly Toolset[];
  declare readonly turn: TurnOptions;
  declare readonly dispatcher: ToolDispatcher;
  declare readonly requests: RequestPlan;

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

  run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
    return runTurns(this, context);
  }
}
