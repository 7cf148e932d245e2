import { type AnsweringPrincipal, answeringBy, requireMayAnswer } from '../../approvals/answer-authority.js';
import type { ApproverRules } from '../../approvals/approver-rule.js';
import { LlmAgentNode } from '../../agents/agent-nodes.js';
import { ShapeGate } from '../../gates/shape.gate.js';
import type { ToolCall } from '../../gates/tool-call.js';
import { runPathOf } from '../../events/event-place.js';
import type { PendingRequestData } from '../../events/pending-request.js';
import { undoOf } from '../../events/undo-mark.js';
import { agentAt, agentOf } from '../../run/agent-node.js';
import type { InvocationContext } from '../../run/invocation-context.js';
import type { Invocation } from '../../run/invocation.js';
import type { Answer } from '../../log/pending-call-index.js';
import { withinCheckTime } from '../../gates/time-limit.js';
import type { Arguments } from '@adorn/schema';
import type { Confirmation } from '../../tools/tool-requests.js';
import type { ToolTable } from '../../tools/tool-table.js';
import { nameOfToolset } from '../../tools/toolsets/wrapped.toolset.js';
import { isToolCall, resolveCall } from '../../turn/call-batch.js';
import { listToolsets } from '../../turn/list-toolsets.js';
import { AgentTreeChangedError, AnsweredToolMissingError, AnswerArgumentsInvalidError } from '../errors.js';
import { type AskedAnew, type ReadAnswers, readAnswers } from './read-answers.js';
import type { CheckedRunInput } from '../begin/run-input.js';

/**
 * Checks answers before they are stored, so that the request of an answer that cannot be used stays pending. A refusal
 * needs neither an agent nor a tool.
 *
 * @param changed the arguments of an approval that changes them
 * @returns these arguments, coerced to the tool's schema, and what is asked about them
 * @throws {ApproverNotAllowedError} if who changed the arguments may not approve a call with them
 * @throws {AgentTreeChangedError} if the agent of a call is not in the tree any more
 * @throws {AnsweredToolMissingError} if the tool of a call is missing because its toolset could not be listed
 * @throws {AnswerArgumentsInvalidError} if changed arguments do not fit the tool
 */
export async function checkAnswers(
  invocation: Invocation,
  answers: readonly Answer[],
  { args: changed, answering }: ChangedArguments,
): Promise<CheckedArguments> {
  let checked: CheckedArguments = { args: changed };
  for (const answer of answers.filter(isToCheck)) {
    const place = await placeOf(invocation, answer);
    if (changed !== undefined && place !== undefined)
      checked = await coercedArguments(withArguments(answer, changed), place, answering);
  }
  return checked;
}

/** The arguments of an approval that changes them, and who approves. */
interface ChangedArguments {
  readonly args: Arguments | undefined;
  readonly answering: AnsweringPrincipal;
}

interface CheckedArguments {
  readonly args: Arguments | undefined;
  readonly asked?: AskedAnew;
}

/** An approval of several has the arguments of its request until it is the last one. */
function withArguments(answer: Answer, args: Arguments): Answer {
  return { ...answer, args };
}

/**
 * Checks the answers of a message, and reads them again if the arguments of an approval are changed.
 *
 * @throws as {@link checkAnswers}
 */
export async function checkedAnswers(
  invocation: Invocation,
  read: ReadAnswers,
  { answerer, message }: Pick<CheckedRunInput, 'answerer' | 'message'>,
): Promise<ReadAnswers> {
  const { given, answering } = answerer;
  const { args, asked } = await checkAnswers(invocation, read.answers, { args: given?.args, answering });
  if (!args || !given) return read;
  return readAnswers(invocation.session, message, { ...answerer, given: { ...given, args, asked } });
}

/** True for an answer that is checked before it is stored: a call is to run with it, now or when others have approved. */
export function isToCheck(answer: Answer): boolean {
  return answer.kind === 'counted' || isToRun(answer);
}

/** True for an answer with which a call is to run. */
export function isToRun({ kind, confirmation }: Answer): boolean {
  return kind === 'again' && confirmation?.confirmed !== false;
}

/** Undefined for the call of an agent that is not an LLM agent, and for a credential, which a toolset may need itself. */
async function placeOf(invocation: Invocation, answer: Answer): Promise<AnsweredCallOwner | undefined> {
  const { event } = answer.open;
  const requestId = answer.request?.id ?? '';
  const root = invocation.root.agent;
  const path = runPathOf(event);
  const agent = path === undefined ? agentOf(root, event) : agentAt(root, path);
  if (agent === undefined) throw new AgentTreeChangedError(requestId, path ?? event.author);
  if (!(agent instanceof LlmAgentNode) || answer.credential !== undefined) return undefined;
  const context = invocation.enter(agent, path ?? agent.path);
  return { agent, context, tools: await toolsFor(answer, agent, context) };
}

/** The tools of the agent, with those of its toolsets if the tool of the call is one of these. */
async function toolsFor(
  { open: { call, event }, request }: Answer,
  agent: LlmAgentNode,
  context: InvocationContext,
): Promise<ToolTable> {
  const { name = '' } = call;
  const find = (tools: ToolTable) => tools.findCalled(name, event);
  if (find(agent.tools) !== undefined || agent.toolsets.length === 0) return agent.tools;
  const { tools, failures, unauthorised } = await listToolsets(agent, context);
  const faults = [
    ...failures.map(({ message }) => message),
    ...unauthorised.map((toolset) => `The toolset ${nameOfToolset(toolset)} has no credential any more.`),
  ];
  if (find(tools) !== undefined || faults.length === 0) return tools;
  throw new AnsweredToolMissingError(request?.id ?? '', name, faults);
}

interface AnsweredCallOwner {
  readonly agent: LlmAgentNode;
  readonly context: InvocationContext;
  readonly tools: ToolTable;
}

/** Passes the call through the gate that checks arguments. They are left unchanged if there is no such tool. */
async function coercedArguments(
  answer: Answer,
  { agent, context, tools }: AnsweredCallOwner,
  answering: AnsweringPrincipal,
): Promise<CheckedArguments> {
  const { call, event } = answer.open;
  if (undoOf(event)) {
    const fault = new Error('an undo gets the result of the call that it undoes, which nobody changes');
    throw new AnswerArgumentsInvalidError(answer.request?.id ?? '', call.name ?? '', fault);
  }
  const resolved = resolveCall(agent, context, tools, event.id, call, answer);
  if (!isToolCall(resolved)) return { args: answer.args };
  try {
    await new ShapeGate().enter(resolved);
  } catch (error) {
    // The check asks a person itself, which it does when the call runs.
    if (resolved.context.question !== undefined) return { args: resolved.args };
    throw new AnswerArgumentsInvalidError(answer.request?.id ?? '', resolved.entry.tool.name, error);
  }
  const asked = await askedAnew(resolved, answer.request, answering);
  return { args: resolved.args, asked };
}

/**
 * Judges changed arguments anew, by `confirm` and `approvers` of the tool: who changes them must be one who may approve a call
 * with them.
 *
 * @throws {ApproverNotAllowedError | AnswerArgumentsInvalidError}
 */
async function askedAnew(
  { entry: { tool }, args, context, invocation: { cancellation, services } }: ToolCall,
  request: PendingRequestData | undefined,
  answering: AnsweringPrincipal,
): Promise<AskedAnew | undefined> {
  const { id = '', hint } = request ?? {};
  let approvers: ApproverRules;
  let asked: Confirmation | undefined;
  const within = { tool, cancellation, part: 'check of changed arguments' };
  try {
    approvers = await withinCheckTime(tool.approversOf(args, context.withoutCredential('approvers')), within);
    if (approvers.length === 0) return undefined;
    asked = await withinCheckTime(Promise.resolve(tool.confirmation(args, context)), within);
  } catch (error) {
    throw new AnswerArgumentsInvalidError(id, tool.name, error);
  }
  const { requester, userId } = context;
  const subject = { rules: approvers, requester, userId, askedAt: request?.askedAt };
  const at = services.clock.now();
  requireMayAnswer(id, answeringBy({ ...answering, at }, subject, request?.delegations), subject);
  return { approvers, hint: asked?.hint ?? hint };
}
