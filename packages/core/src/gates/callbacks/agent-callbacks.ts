import {
  approverFault,
  type ApproverRule,
  type ApproverRules,
  NO_RULES,
} from '../../approvals/approver-rule.js';
import type { Content } from '../../events/genai-types.js';
import type { AgentContext } from '../../run/agent-context.js';
import type { CallbackContext } from '../../run/callback-context.js';
import type { ModelResponse } from '../../models/model-response.js';
import type { ModelRequest } from '../../models/model.js';
import type { Awaitable } from '../../runtime/awaitable.js';
import type { ToolContext } from '../../tools/tool-context.js';
import type { Tool } from '../../tools/tool.js';
import { DecisionApproversInvalidError, ToolDecisionInvalidError } from './errors.js';

/** The result of a callback: an answer, or undefined or null for no answer. */
export type Reply<Value> = Awaitable<Value | undefined> | Awaitable<void>;

/** The callbacks that every agent has. */
export interface BaseAgentCallbacks {
  /** Runs before the agent. A returned content replaces the run of the agent. */
  beforeAgent?(context: AgentContext): Reply<Content>;
  /** Runs after the agent. A returned content is added to the answer. Not called if `beforeAgent` answered or the run pauses. */
  afterAgent?(context: AgentContext): Reply<Content>;
}

/**
 * The callbacks of an agent class or a plugin. Each is a method to override; returning nothing changes nothing. Plugins
 * are called first, in their order; the first answer ends the chain.
 */
export interface AgentCallbacks extends BaseAgentCallbacks {
  /** Runs before a model call and may change the request. A returned response replaces the call. */
  beforeModel?(request: ModelRequest, context: CallbackContext): Reply<ModelResponse>;
  /**
   * Runs after a model call, and after `onModelError`. A returned response replaces the answer. The pieces of a
   * streamed answer, which were yielded before, go to `onModelPiece` instead.
   */
  afterModel?(response: ModelResponse, context: CallbackContext): Reply<ModelResponse>;
  /**
   * Runs for each piece of a streamed answer before it is yielded. A returned response replaces the piece; `false`
   * drops it. The complete answer, which is stored, goes to `afterModel`: override both to filter text.
   */
  onModelPiece?(piece: ModelResponse, context: CallbackContext): Reply<ModelResponse | false>;
  /** Runs if a model call failed. A returned response replaces the answer. */
  onModelError?(error: unknown, request: ModelRequest, context: CallbackContext): Reply<ModelResponse>;
  /**
   * Decides whether a call may run, before a person or a credential is asked for. All callbacks are called, and the
   * strictest answer counts: `Deny`, then `RequireConfirmation`. Called again if `beforeTool` changes the arguments and when a
   * paused call resumes, so an approval does not outweigh a `Deny`. A throw fails the call.
   *
   * @param args checked against the tool's declaration, frozen
   */
  checkTool?(
    tool: Tool,
    args: Readonly<Record<string, unknown>>,
    context: ToolContext,
  ): Reply<Deny | RequireConfirmation>;
  /**
   * Runs before a tool, inside the gates. May change `args` in place; confirmation is then asked again for the new
   * arguments. A returned value is the result, and the tool does not run; a `Deny` refuses the call.
   */
  beforeTool?(tool: Tool, args: Record<string, unknown>, context: ToolContext): unknown;
  /** Runs after a tool, before its result is wrapped. A returned value replaces the result. */
  afterTool?(
    tool: Tool,
    args: Readonly<Record<string, unknown>>,
    result: unknown,
    context: ToolContext,
  ): unknown;
  /** Runs if a tool failed. A returned value is the result of the call and goes to `afterTool`. */
  onToolError?(
    tool: Tool,
    args: Readonly<Record<string, unknown>>,
    error: unknown,
    context: ToolContext,
  ): unknown;
}

const DENY = Symbol.for('adorn.deny');
const ASK = Symbol.for('adorn.ask');

/**
 * Refuses a tool call: the tool does not run, and the model is told the reason. Return it from `checkTool` or
 * `beforeTool`. Returned from `afterTool`, `onToolError` or the tool itself, it withholds the result.
 */
export class Deny {
  /** The mark by which copies of core recognise a value of this class. */
  readonly [DENY] = true;

  /** @param reason sent to the model */
  constructor(
    /** Sent to the model as the reason of the refusal. */
    readonly reason: string,
  ) {
    if (typeof reason !== 'string') throw new ToolDecisionInvalidError('Deny', 'reason', reason);
  }

  /** True for a `Deny` of any copy of core in the process. */
  static is(value: unknown): value is Deny {
    return typeof value === 'object' && value !== null && DENY in value;
  }
}

/** Has a person confirm a tool call before it runs. Return it from `checkTool`. */
export class RequireConfirmation {
  /** The mark by which copies of core recognise a value of this class. */
  readonly [ASK] = true;

  /**
   * @param hint the question, unless the tool asks one of its own. Default: asks to approve the tool by its name
   * @param payload data shown with the hint, as JSON
   * @param approvers who may answer, in addition to what the tool says. Default: as the tool says
   * @param remember `false` if an approval for the session does not cover the call. Default: as the tool says
   */
  constructor(
    /** The question to the person. Default: a text with the name of the tool. */
    readonly hint?: string,
    /** Data shown with the question. JSON. */
    readonly payload?: unknown,
    /** Who may answer. Several rules hold together. */
    readonly approvers?: ApproverRule | readonly ApproverRule[],
    /** False if the call asks although a person has approved such calls for the session. */
    readonly remember?: false,
  ) {
    if (hint !== undefined && typeof hint !== 'string')
      throw new ToolDecisionInvalidError('RequireConfirmation', 'hint', hint);
    for (const rule of rulesIn(this)) {
      const fault = approverFault(rule);
      if (fault !== undefined) throw new DecisionApproversInvalidError(fault);
    }
  }

  /** True for a `RequireConfirmation` of any copy of core in the process. */
  static is(value: unknown): value is RequireConfirmation {
    return typeof value === 'object' && value !== null && ASK in value;
  }
}

/** Who may answer, as a decision of `checkTool` says. One of an older copy of core names nobody. */
export function rulesIn({ approvers = NO_RULES }: RequireConfirmation): ApproverRules {
  return isRules(approvers) ? approvers : [approvers];
}

function isRules(approvers: ApproverRule | ApproverRules): approvers is ApproverRules {
  return Array.isArray(approvers);
}
