import { LlmAgentNode } from '../agents/agent-nodes.js';
import type { Event } from '../events/event.js';
import type { Session } from '../events/session.js';
import { type AgentNode, findAgent } from '../invocation/agent-node.js';
import type { OpenCall } from '../log/pending-call-index.js';
import { PendingIndex } from '../log/pending-index.js';
import type { Answer } from '../invocation/answer.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import type { ReadAnswers } from './read-answers.js';

const OUTCOME_UNKNOWN = Object.freeze({
  error: 'outcome unknown: the run ended while this call was under way. It may have taken effect.',
  outcome: 'unknown',
});

/** Calls of earlier runs that ended before the calls did, because their process died or their reader left. */
export interface InterruptedCalls {
  /** Calls whose tools may run twice: they go through the gates once more, with what was decided about them. */
  readonly again: readonly Answer[];
  /** The other calls. They may have taken effect, and do not run again. */
  readonly unknown: readonly OpenCall[];
}

const NONE: InterruptedCalls = Object.freeze({ again: [], unknown: [] });

/** The interrupted calls of a session, without those that the message answers. */
export function interruptedCalls(
  root: AgentNode,
  session: Session,
  { answers }: ReadAnswers,
): InterruptedCalls {
  const index = PendingIndex.of(session);
  const abandoned = index.abandoned();
  if (abandoned.length === 0) return NONE;
  const resumed = new Set(answers.map(({ open }) => open.call.id));
  const again: Answer[] = [];
  const unknown: OpenCall[] = [];
  for (const open of abandoned) {
    const { id = '' } = open.call;
    if (resumed.has(id)) continue;
    if (mayRunTwice(root, open)) {
      const given = index.answeredOf(id);
      again.push({ ...index.decisionOn(id), open, kind: 'again', given, isInterrupted: true });
    } else unknown.push(open);
  }
  return { again, unknown };
}

/** True for the call of a tool that has no effect, the same effect when it is repeated, or can look whether it had one. */
function mayRunTwice(root: AgentNode, { call, event }: OpenCall): boolean {
  const agent = findAgent(root, event.author);
  const tool = agent instanceof LlmAgentNode ? agent.tools.find(call.name ?? '')?.tool : undefined;
  if (tool === undefined) return false;
  return tool.traits.effect === 'read' || tool.traits.idempotent === true || tool.reconcile !== undefined;
}

/** The responses to calls with an unknown outcome: one event for each event that made such calls. */
export function unknownOutcomes(context: InvocationContext, { unknown }: InterruptedCalls): Event[] {
  const origins = new Map<Event, OpenCall[]>();
  for (const open of unknown) {
    const calls = origins.get(open.event);
    if (calls === undefined) origins.set(open.event, [open]);
    else calls.push(open);
  }
  return [...origins].map(([{ author }, calls]) =>
    context.event({ author, content: { role: 'user', parts: calls.map(unknownOutcome) } }),
  );
}

function unknownOutcome({ call: { id, name } }: OpenCall) {
  return { functionResponse: { id, name, response: OUTCOME_UNKNOWN } };
}

const NOT_RUN = Object.freeze({ error: 'The call was not run: the agent that made it did not go on.' });

/** The response to calls whose answers nobody took, because their agent is gone or did not run: no call stays without one. */
export function unheardAnswers(context: InvocationContext): Event | undefined {
  const answers = context.takeRest().filter(({ kind }) => kind === 'again');
  const author = answers[0]?.open.event.author;
  if (author === undefined) return undefined;
  return context.event({ author, content: { role: 'user', parts: answers.map(notRun) } });
}

function notRun({ open, isInterrupted }: Answer) {
  const { id, name } = open.call;
  return {
    functionResponse: {
      ...(id !== undefined && { id }),
      ...(name !== undefined && { name }),
      response: isInterrupted === true ? OUTCOME_UNKNOWN : NOT_RUN,
    },
  };
}
