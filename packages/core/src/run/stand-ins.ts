import type { State } from '../events/state.js';
import type { ModelResponse } from '../models/model-response.js';
import type { Model, ModelRequest } from '../models/model.js';
import type { Arguments } from '@adorn/schema';

/** A call whose tool is about to run. */
export interface StoodInCall {
  /** The name of the tool. */
  readonly tool: string;
  /** The checked arguments. */
  readonly args: Arguments;
  /** The id of the call: the same for each attempt. */
  readonly callId: string;
  /** What `context.idempotencyKey` of the tool is: the same for each attempt, and for each call of one `once`. */
  readonly idempotencyKey: string;
}

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
   * @param state the state that the tool would see and write
   */
  readonly runTool?: (call: StoodInCall, run: () => Promise<unknown>, state: State) => Promise<unknown>;
  /** Called in place of `model.generate(request)`. */
  readonly askModel?: (model: Model, request: ModelRequest) => AsyncGenerator<ModelResponse, void, undefined>;
}
