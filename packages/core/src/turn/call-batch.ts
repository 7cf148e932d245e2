import type { FunctionCall } from '../content/genai-types.js';
import type { SettledCall, ToolCall } from '../dispatch/tool-call.js';
import type { Event } from '../events/event.js';
import type { Answer } from '../log/pending-call-index.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import { PendingIndex } from '../log/pending-index.js';
import type { Awaitable } from '../runtime/awaitable.js';
import { ToolArgumentsInvalidError, ToolNotCallableError, ToolNotFoundError } from '../tools/errors.js';
import { ToolContext } from '../tools/tool-context.js';
import type { ToolTable } from '../tools/tool-table.js';
import { ToolboxClosedError } from '../toolsets/errors.js';
import { listToolsets } from './list-toolsets.js';
import { endToolsetConsents } from './toolset-auth.js';
import type { PlannedAgent, TurnAgent } from './turn-agent.js';

/** What the answers that came with the message mean for an agent. */
type Resumption =
  /** There were none for it. */
  | { readonly kind: 'none' }
  /** These calls enter the gates again. */
  | { readonly kind: 'calls'; readonly batch: CallBatch }
  /** Results came in; `origins` made the calls. */
  | { readonly kind: 'results'; readonly origins: readonly Event[] };

/** Takes the answers to the agent's own earlier calls, and lays the calls out to be run. */
export function answeredBatch(agent: PlannedAgent, context: InvocationContext): Awaitable<Resumption> {
  const taken = context.takeAnswers();
  if (taken.length === 0) return NONE;
  const ofToolsets = taken.filter(({ kind }) => kind === 'toolset');
  const ofCalls = taken.filter(({ kind }) => kind !== 'toolset');
  if (ofToolsets.length === 0) return batchOf(agent, context, ofCalls);
  return endToolsetConsents(agent, context, ofToolsets).then(() => batchOf(agent, context, ofCalls));
}

function batchOf(
  agent: PlannedAgent,
  context: InvocationContext,
  answers: readonly Answer[],
): Awaitable<Resumption> {
  if (answers.length === 0) return NONE;
  const origins = [...new Set(answers.map(({ open }) => open.event))];
  const again = answers.filter(({ kind }) => kind === 'again');
  return again.length === 0 ? { kind: 'results', origins } : callsAgain(agent, context, origins, again);
}

const NONE: Resumption = Object.freeze({ kind: 'none' });

async function callsAgain(
  agent: PlannedAgent,
  context: InvocationContext,
  origins: readonly Event[],
  answers: readonly Answer[],
): Promise<Resumption> {
  // The calls of a toolset that fails now are answered as those of an unknown tool.
  const { tools } = agent.toolsets.length > 0 ? await listToolsets(agent, context) : agent;
  const calls = answers.map((answer) => {
    const { call, event } = answer.open;
    return resolveCall(agent, context, tools, event.id, call, answer);
  });
  return { kind: 'calls', batch: { origins, calls, isResumed: true } };
}

/** Whether a call of these answers is still without its response: the model is not asked before all have one. */
export function isStillWaiting(context: InvocationContext, origins: readonly Event[]): boolean {
  const open = PendingIndex.of(context.session);
  return origins.some((origin) => open.isWaiting(origin));
}

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
