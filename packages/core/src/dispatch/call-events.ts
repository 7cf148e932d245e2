import type { Content, Part } from '../content/genai-types.js';
import type { EventActions } from '../events/event-actions.js';
import type { Event } from '../events/event.js';
import { REQUEST_CONFIRMATION, REQUEST_CREDENTIAL } from '../events/pending-request.js';
import type { ConfirmationArgs, CredentialArgs } from '../events/requests-of.js';
import type { AgentNode } from '../invocation/agent-node.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import { frozenJson } from '../json/copy-json.js';
import { newCallId } from '../runtime/ids.js';
import { mergeActions } from './merge-actions.js';
import { isHandle, type Question, type SettledCall, type ToolCall } from './tool-call.js';

/**
 * The one event that answers the calls of a turn, in the order of the calls.
 *
 * @param isPaused true if a call of the same answer waits for a person or for a result
 */
export function responseEvent(
  invocation: InvocationContext,
  agent: AgentNode,
  settled: readonly SettledCall[],
  isPaused: boolean,
): Event {
  const body = {
    author: agent.name,
    actions: mergeActions(invocation, settled, isPaused),
    longRunningToolIds: settled.some(isHandle) ? settled.filter(isHandle).map(({ id }) => id) : NO_IDS,
  };
  return invocation.event(body, { role: 'user', parts: settled.map(toPart) });
}

const NO_IDS: readonly string[] = Object.freeze([]);

function toPart(settled: SettledCall): Part {
  const { id, name, outcome } = settled;
  if (outcome.kind === 'paused') {
    return { functionResponse: { id, name, response: { status: 'pending' }, willContinue: true } };
  }
  const { response } = outcome;
  return {
    functionResponse: isHandle(settled) ? { id, name, response, willContinue: true } : { id, name, response },
  };
}

/** The event that asks a person about a call: a synthetic call of its own id, which clients of the ADK understand. */
export function requestEvent(call: ToolCall, question: Question): Event {
  const id = newCallId();
  const asked =
    question.kind === 'confirmation' ? askConfirmation(call, question) : askCredential(call, question);
  const content: Content = {
    role: 'user',
    parts: [{ functionCall: { id, name: asked.name, args: asked.args } }],
  };
  return call.invocation.event({
    author: call.agent.name,
    content,
    actions: asked.actions,
    longRunningToolIds: [id],
  });
}

interface Asked {
  readonly name: string;
  readonly args: Record<string, unknown>;
  readonly actions: Partial<EventActions>;
}

function askConfirmation(
  call: ToolCall,
  { confirmation, args, definition }: Question & { kind: 'confirmation' },
): Asked {
  const toolConfirmation = { ...confirmation, confirmed: false };
  const originalFunctionCall = { id: call.id, name: call.entry.tool.name, args };
  const asked: ConfirmationArgs = { originalFunctionCall, toolConfirmation, toolDefinition: definition };
  return {
    name: REQUEST_CONFIRMATION,
    args: { ...asked },
    actions: { requestedToolConfirmations: { [call.id]: toolConfirmation } },
  };
}

function askCredential(call: ToolCall, { authConfig }: Question & { kind: 'credential' }): Asked {
  const originalFunctionCall = { id: call.id, name: call.entry.tool.name, args: frozenJson(call.args) };
  const asked: CredentialArgs = { functionCallId: call.id, authConfig, originalFunctionCall };
  return {
    name: REQUEST_CREDENTIAL,
    args: { ...asked },
    actions: { requestedAuthConfigs: { [call.id]: authConfig } },
  };
}
