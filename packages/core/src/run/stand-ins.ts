import type { ModelResponse } from '../models/model-response.js';
import type { Model, ModelRequest } from '../models/model.js';
import type { Arguments } from '@adorn/schema';
import type { ToolContext } from '../tools/tool-context.js';
import type { Tool } from '../tools/tool.js';

/**
 * Functions in place of the tools and models of an isolated runner: stubs and faults of a test or an evaluation. Everything
 * around them is as in any run: gates, approvals, callbacks, policies, time limits.
 */
export interface StandIns {
  /**
   * Called in place of a tool that is about to run, also for each repeated attempt. Its result, or what it throws, is that of
   * the tool.
   *
   * @param run runs the tool
   */
  readonly runTool?: (
    call: { readonly tool: Tool; readonly args: Arguments; readonly context: ToolContext },
    run: () => Promise<unknown>,
  ) => Promise<unknown>;
  /** Called in place of `model.generate(request)`. */
  readonly askModel?: (model: Model, request: ModelRequest) => AsyncGenerator<ModelResponse, void, undefined>;
}
