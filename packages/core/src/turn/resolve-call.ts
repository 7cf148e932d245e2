import type { FunctionCall } from '../content/genai-types.js';
import type { SettledCall, ToolCall } from '../dispatch/tool-call.js';
import type { Event } from '../events/event.js';
import type { Answer } from '../invocation/answer.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import { ToolArgumentsInvalidError, ToolNotCallableError, ToolNotFoundError } from '../tools/errors.js';
import { ToolContext } from '../tools/tool-context.js';
import { ToolboxClosedError } from '../toolsets/errors.js';
import type { ToolTable } from '../tools/tool-table.js';
import type { TurnAgent } from './turn-agent.js';

/** A call of the model: on its way to its tool, or answered because there is none. */
export type ResolvedCall = ToolCall | (SettledCall & { readonly call?: undefined });

/** Pairs a call with its tool, or with an answer that says why not. */
export function resolveCall(
  agent: TurnAgent,
  invocation: InvocationContext,
  tools: ToolTable,
  functionCallEventId: string,
  { id = '', name = '', args = {} }: FunctionCall,
  answer?: Answer,
): ResolvedCall {
  const entry = tools.find(name);
  if (entry === undefined) return notFound(id, name, tools);
  const { box } = entry;
  if (box !== undefined && !box.isOpen(invocation))
    return invalid(id, name, new ToolboxClosedError(name, box));
  const context = new ToolContext(invocation, agent, {
    toolName: name,
    functionCallId: id,
    functionCallEventId,
  });
  const { callbacks } = agent;
  return { id, entry, args, context, invocation, agent, callbacks, isIntercepted: false, answer };
}

/** The answer to a call whose arguments cannot be read: it does not run. */
export function refuseArguments(
  tools: ToolTable,
  { id = '', name = '' }: FunctionCall,
  fault: string,
): SettledCall & { call?: undefined } {
  if (tools.find(name) === undefined) return notFound(id, name, tools);
  return invalid(id, name, new ToolArgumentsInvalidError(name, [fault]));
}

function notFound(id: string, name: string, tools: ToolTable): SettledCall & { call?: undefined } {
  const error = tools.isPassive(name)
    ? new ToolNotCallableError(name, tools.names)
    : new ToolNotFoundError(name, tools.names, tools.nearest(name));
  return invalid(id, name, error);
}

function invalid(id: string, name: string, error: Error): SettledCall & { call?: undefined } {
  return { id, name, outcome: { kind: 'failed', response: { error: error.message }, error, invalid: true } };
}

export function isOnItsWay(call: ResolvedCall): call is ToolCall {
  return 'entry' in call;
}

/** Calls that go to their tools together: those of one answer, or those that one message let go on. */
export interface CallBatch {
  /** The events that hold the calls. */
  readonly origins: readonly Event[];
  readonly calls: readonly ResolvedCall[];
  /** The calls were answered by a message; others of the same answers may have run earlier, or still wait. */
  readonly isResumed?: boolean;
}
