import { LlmAgentNode } from '../../agents/agent-nodes.js';
import {
  AdornError,
  describeThrown,
  kindOf,
  isPlain,
  toJsonValue,
  checkName,
  shownName,
  type Arguments,
} from '@adorn/schema';
import { callerMetadata, type Caller } from '../../events/caller.js';
import { CallAmbiguousError } from '../../events/errors.js';
import type { Event } from '../../events/event.js';
import { type AgentNode, findAgent } from '../../run/agent-node.js';
import type { InvocationContext } from '../../run/invocation-context.js';
import { PendingIndex } from '../../log/pending-index.js';
import { newCallId } from '../../runtime/ids.js';
import type { Answerer, ConversationAddress, MessageInput, RunInput } from './run-input.js';

/** A call of a tool that no model makes. */
export interface CallInput
  extends
    ConversationAddress,
    Pick<Answerer, 'by' | 'channel'>,
    Pick<RunInput, 'stateDelta' | 'invocationId' | 'config' | 'signal'> {
  /** The name of the tool. */
  readonly tool: string;
  /** Default: none. */
  readonly args?: Arguments | undefined;
  /** The name of the agent whose tool it is. Default: the root agent. */
  readonly agent?: string | undefined;
  /** The id of the call. Default: a new one. */
  readonly callId?: string | undefined;
  /**
   * The id of the call whose page makes this one (MCP Apps), which may call tools that no model is offered. `CallUi` checks which;
   * here it is stored. Default: no page does.
   */
  readonly fromUi?: string | undefined;
}

/** A checked call. */
export interface RequestedCall {
  readonly id: string;
  readonly tool: string;
  readonly args: Arguments;
  readonly agent: LlmAgentNode;
  readonly fromUi?: string | undefined;
}

/**
 * The message that stands in the log before a call: models read the call as their own, which follows a message.
 *
 * @throws {CallInvalidError | NameInvalidError | NameTooLongError}
 */
export function callInput(root: AgentNode, input: CallInput): MessageInput {
  const { tool, args = {}, agent, callId = newCallId(), fromUi, ...rest } = input;
  checkName('name of a tool', tool);
  checkName('id of a call', callId);
  if (fromUi !== undefined) checkName('id of the call of a page', fromUi);
  const call = { id: callId, tool, args: readArguments(tool, args), agent: agentCalled(root, agent), fromUi };
  const message =
    fromUi === undefined
      ? `Call the tool ${JSON.stringify(tool)}.`
      : `A page calls the tool ${JSON.stringify(tool)}.`;
  return { kind: 'message', input: { ...rest, message }, call };
}

function readArguments(tool: string, args: unknown): Arguments {
  if (typeof args !== 'object' || args === null || !isPlain(args))
    throw new CallInvalidError(`The arguments of "${shownName(tool)}" are ${kindOf(args)}. Pass an object.`);
  try {
    return toJsonValue(args) as Arguments;
  } catch (error) {
    throw new CallInvalidError(describeThrown(error).message);
  }
}

/**
 * The LLM agent of that name; the root without one.
 *
 * @throws {CallInvalidError} if there is none, or it is no LLM agent
 */
export function agentCalled(root: AgentNode, name: string | undefined): LlmAgentNode {
  const agent = name === undefined ? root : findAgent(root, name);
  if (agent instanceof LlmAgentNode) return agent;
  const found =
    agent === undefined ? `There is no agent "${shownName(String(name))}"` : `"${agent.name}" has no tools`;
  throw new CallInvalidError(`${found}. Set agent to one of: ${llmAgents(root).join(', ')}.`);
}

function llmAgents(node: AgentNode): string[] {
  const below = node.subAgents.flatMap(llmAgents);
  return node instanceof LlmAgentNode ? [node.name, ...below] : below;
}

/**
 * The event with a call, as if the agent's model had made it, which records the caller.
 *
 * @param context of the agent whose tool it is
 * @throws {CallAmbiguousError} if the id is that of an open call
 */
export function callEvent(
  context: InvocationContext,
  { id, tool, args, agent }: RequestedCall,
  caller: Caller,
): Event {
  if (!context.invocation.reserveCallId(id)) throw new CallAmbiguousError(id);
  const content = { role: 'model', parts: [{ functionCall: { id, name: tool, args } }] };
  return context.event({ author: agent.name, content, customMetadata: callerMetadata(caller) });
}

/** The stored call as an answer, with which the agent runs it like any other call that passes the gates. */
export function callToRun({ session }: InvocationContext, { id }: RequestedCall) {
  const open = PendingIndex.of(session).findCall(id);
  return open && ({ open, kind: 'again' } as const);
}

/** A call that `runner.call` cannot make. Nothing was stored. */
export class CallInvalidError extends AdornError {
  readonly code = 'CALL_INVALID';

  constructor(fault: string) {
    super(`The call cannot be made. ${fault}`);
  }
}
