import type { FunctionCall } from '../events/genai-types.js';
import type { SettledCall, ToolCall } from '../gates/tool-call.js';
import { OUTCOME_UNKNOWN } from '../gates/outcome.js';
import { callerOf } from '../events/caller.js';
import type { Event } from '../events/event.js';
import { answerSubjectOf } from '../events/pending-request.js';
import type { Answer } from '../log/pending-call-index.js';
import { InvocationCancelledError } from '../run/cancellation.js';
import type { InvocationContext } from '../run/invocation-context.js';
import { PendingIndex } from '../log/pending-index.js';
import { ToolArgumentsInvalidError } from '@adorn/schema';
import { ToolCallLimitError, ToolNotCallableError, ToolNotFoundError } from '../tools/errors.js';
import { ToolContext } from '../tools/tool-context.js';
import type { ToolTable } from '../tools/tool-table.js';
import { unreadableFault } from './response-to-event.js';
import { listToolsets } from './list-toolsets.js';
import { endToolsetConsents } from './toolset-auth.js';
import type { PlannedAgent, TurnAgent } from './turn-agent.js';

/** How an agent resumes with the answers of the message. */
export type Resumption =
  /** The message has no answers for the agent. */
  | { readonly kind: 'none' }
  /** These calls pass the gates again. */
  | { readonly kind: 'calls'; readonly batch: CallBatch }
  /** Results have arrived; `origins` are the events with the calls. */
  | { readonly kind: 'results'; readonly origins: readonly Event[] };

/** Takes the answers to the agent's own earlier calls, and prepares these calls to run. */
export async function resumptionOf(agent: PlannedAgent, context: InvocationContext): Promise<Resumption> {
  const taken = context.claimAnswers();
  const ofToolsets = taken.filter(({ kind }) => kind === 'uncalled');
  if (ofToolsets.length > 0) await endToolsetConsents(agent, context, ofToolsets);
  const answers = taken.filter(({ kind }) => kind !== 'uncalled');
  if (answers.length === 0) return { kind: 'none' };
  const origins = [...new Set(answers.map(({ open }) => open.event))];
  const again = answers.filter(({ kind }) => kind === 'again');
  return again.length === 0 ? { kind: 'results', origins } : callsAgain(agent, context, origins, again);
}

async function callsAgain(
  agent: PlannedAgent,
  context: InvocationContext,
  origins: readonly Event[],
  answers: readonly Answer[],
): Promise<Resumption> {
  // If the toolset of a call fails now, the call is answered like one of an unknown tool.
  const { tools } = agent.toolsets.length > 0 ? await listToolsets(agent, context) : agent;
  const calls = answers.map((answer) => {
    const { call, event } = answer.open;
    if (answer.isInterrupted === true && isOverLimit(context, event, call)) {
      return refuseOverLimit(context, event.functionCalls.length, call);
    }
    const fault = answer.args ? undefined : unreadableFault(call);
    if (fault !== undefined) return refuseArguments(tools, call, fault);
    return resolveCall(agent, context, tools, event.id, call, answer);
  });
  return { kind: 'calls', batch: { origins, calls, isResumed: true } };
}

/** True if a call of these answers has no response yet: the model is called only when all have one. */
export function isStillWaiting(context: InvocationContext, origins: readonly Event[]): boolean {
  const open = PendingIndex.of(context.session);
  return origins.some((origin) => open.isWaiting(origin));
}

/** A call of the model with its tool, or already answered because there is no such tool. */
export type ResolvedCall = ToolCall | (SettledCall & { readonly call?: undefined });

/** Resolves a call to its tool, or to an error response. */
export function resolveCall(
  agent: TurnAgent,
  invocation: InvocationContext,
  tools: ToolTable,
  functionCallEventId: string,
  { id = '', name = '', args: said = {} }: FunctionCall,
  answer?: Answer,
): ResolvedCall {
  const args = answer?.args ?? said;
  const entry = answer ? tools.findCalled(name, answer.open.event) : tools.find(name);
  const box = entry?.box;
  const closed = !isAnswered(answer) && box?.isOpen(invocation, name) === false ? box : undefined;
  const hasBegun = answer?.isInterrupted === true || answer?.ending?.mayHaveTakenEffect === true;
  if (hasBegun && (!entry || closed)) return unknown(id, name);
  if (!entry) return notFound(id, name, tools, hintOf(agent, invocation, name));
  if (closed) return invalid(id, name, closed.closedError(name));
  const context = new ToolContext(invocation, agent, {
    toolName: name,
    functionCallId: id,
    functionCallEventId,
    madeIn: answer?.open.event.invocationId,
    requester: answer?.request && answerSubjectOf(answer.request, invocation.userId).requester,
  });
  const { callbacks } = agent;
  context.mayHaveTakenEffect = hasBegun;
  const isIntercepted = false;
  return {
    id,
    entry,
    args,
    context,
    invocation,
    agent,
    callbacks,
    isIntercepted,
    answer,
  };
}

/** True for a call that a person was asked about: its tool was open when the call was made, and may have been closed since. */
function isAnswered(answer: Answer | undefined): boolean {
  return answer?.request !== undefined && answer.isInterrupted !== true;
}

/** What the closed tools of an agent have to say of a name that no tool has. */
function hintOf({ boxes }: TurnAgent, context: InvocationContext, name: string): string {
  return boxes.flatMap((box) => box.hintFor(context, name) ?? []).join(' ');
}

/** The error response to a call with unreadable arguments. The call does not run. */
export function refuseArguments(
  tools: ToolTable,
  { id = '', name = '' }: FunctionCall,
  fault: string,
): SettledCall & { call?: undefined } {
  if (!tools.find(name)) return notFound(id, name, tools);
  return invalid(id, name, new ToolArgumentsInvalidError(name, [fault]));
}

/** True for a call that its answer had too many before. Nobody was asked about it before the run was interrupted. */
function isOverLimit({ config }: InvocationContext, origin: Event, { id }: FunctionCall): boolean {
  const { maxCallsPerAnswer } = config;
  const calls = origin.functionCalls;
  if (calls.length <= maxCallsPerAnswer || callerOf(origin)) return false;
  return calls.findIndex((call) => call.id === id) >= maxCallsPerAnswer;
}

/** The error response to a call above the limit of an answer. The call does not run. */
export function refuseOverLimit(
  { config }: InvocationContext,
  calls: number,
  { id = '', name = '' }: FunctionCall,
): SettledCall & { call?: undefined } {
  return invalid(id, name, new ToolCallLimitError(name, calls, config.maxCallsPerAnswer));
}

/** The response to an interrupted call whose tool is gone or in a closed box, or whose toolset cannot be listed. */
function unknown(id: string, name: string): SettledCall & { call?: undefined } {
  const error = InvocationCancelledError.duringCall();
  return { id, name, outcome: { kind: 'failed', response: OUTCOME_UNKNOWN, error } };
}

function notFound(id: string, name: string, tools: ToolTable, hint = ''): SettledCall & { call?: undefined } {
  const error = tools.isPassive(name)
    ? new ToolNotCallableError(name, tools.names)
    : new ToolNotFoundError(name, tools.names, tools.nearest(name), hint);
  return invalid(id, name, error);
}

function invalid(id: string, name: string, error: Error): SettledCall & { call?: undefined } {
  return { id, name, outcome: { kind: 'failed', response: { error: error.message }, error, invalid: true } };
}

/** True for a call with a tool, which the gates are to pass; false for one that has its response already. */
export function isToolCall(call: ResolvedCall): call is ToolCall {
  return 'entry' in call;
}

/** Calls that run together: the calls of one answer, or the calls that one message resumed. */
export interface CallBatch {
  /** The events that hold the calls. */
  readonly origins: readonly Event[];
  /** The calls, in the order of the events. */
  readonly calls: readonly ResolvedCall[];
  /** True if a message resumed the calls: other calls of the same answers may have run earlier, or still wait. */
  readonly isResumed?: boolean;
  /** Ids of other calls of the same answers that continue in the background. */
  readonly running?: readonly string[];
  /** Of calls that ran in the background: true if none of their results leads to a model call. */
  readonly isSilent?: boolean;
  /** True if the run ends with the response to the calls, because the model has answered before. */
  readonly isLast?: boolean;
}
