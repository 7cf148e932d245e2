import type { Event } from '../events/event.js';
import { PendingIndex } from '../log/pending-index.js';
import type { Answer } from '../invocation/answer.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import type { Awaitable } from '../runtime/awaitable.js';
import { listToolsets } from './list-toolsets.js';
import { type CallBatch, resolveCall } from './resolve-call.js';
import { endToolsetConsents } from './toolset-auth.js';
import type { PlannedAgent } from './turn-agent.js';

/** What the answers that came with the message mean for an agent. */
export type Resumption =
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
