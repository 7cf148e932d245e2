import { LlmAgentNode } from '../../agents/agent-nodes.js';
import { functionCallsOf } from '../../events/content-parts.js';
import type { Content, Part } from '../../events/genai-types.js';
import { pendingPart } from '../../events/placeholder-response.js';
import { OUTCOME_UNKNOWN } from '../../gates/outcome.js';
import { repeatedCall } from '../../events/pending-request.js';
import type { Event } from '../../events/event.js';
import { logOf, type Session } from '../../events/session.js';
import { type AgentNode, agentOf } from '../../run/agent-node.js';
import type { InvocationContext } from '../../run/invocation-context.js';
import { effectiveEventsBackwards } from '../../log/effective-events.js';
import { isUserMessage } from '../../log/invocation-chains.js';
import type { Answer, OpenCall } from '../../log/pending-call-index.js';
import { PendingIndex } from '../../log/pending-index.js';
import { newCallId } from '../../runtime/ids.js';
import { isToRun } from '../answers/check-answers.js';
import type { ReadAnswers } from '../answers/read-answers.js';

/** The message that the interrupted run of a session answers; undefined if there is none. */
export function interruptedMessage(session: Session): Content | undefined {
  for (const event of effectiveEventsBackwards(logOf(session))) {
    if (isUserMessage(event)) return event.content;
  }
  return undefined;
}

/** Calls of earlier runs that ended before the calls did, because their process died or their reader left. */
export interface InterruptedCalls {
  /** Calls whose tools may run twice: they pass the gates again, with the earlier decisions about them. */
  readonly again: readonly Answer[];
  /** The other calls. They may have taken effect, so they do not run again. */
  readonly unknown: readonly OpenCall[];
  /** Calls that wait for a person and whose pending response was not stored. */
  readonly pending: readonly OpenCall[];
}

const NONE: InterruptedCalls = Object.freeze({ again: [], unknown: [], pending: [] });

/** The interrupted calls of a session, without those that the message answers. */
export function interruptedCalls(
  root: AgentNode,
  session: Session,
  { answers }: Pick<ReadAnswers, 'answers'>,
): InterruptedCalls {
  const index = PendingIndex.of(session);
  const abandoned = index.abandoned();
  const unacknowledged = index.withoutResponse();
  if (abandoned.length === 0 && unacknowledged.length === 0) return NONE;
  const resumed = new Set(answers.map(({ open }) => open.call.id));
  const pending = unacknowledged.filter(({ call }) => !resumed.has(call.id));
  const again: Answer[] = [];
  const unknown: OpenCall[] = [];
  for (const open of abandoned) {
    const { id = '' } = open.call;
    if (resumed.has(id)) continue;
    const record = index.recordOf(id);
    // A callback behind the tool may run twice, and the tool does not run by it.
    const hasEnded = record.ending !== undefined;
    const isRejected = record.confirmation?.confirmed === false;
    const isUndecided = record.confirmation === undefined;
    // A rejection that was stored was about a call that had not run, unless the request says otherwise.
    const hasBegun = !hasEnded && (!isRejected || record.shown?.mayHaveTakenEffect === true);
    if (hasEnded || isRejected || mayRunTwice(root, open) || (isUndecided && mayAskFirst(root, open)))
      again.push({ ...record, open, kind: 'again', isInterrupted: hasBegun || undefined });
    else unknown.push(open);
  }
  return { again, unknown, pending };
}

/**
 * True if the tool of the call has no effect, is idempotent, can `reconcile`, or has its effect `once`. A tool that decides for each call is
 * asked at the gates, and so is the tool of a toolset, which has to be listed first.
 */
function mayRunTwice(root: AgentNode, open: OpenCall): boolean {
  const { agent, tool } = toolOf(root, open);
  if (!tool) return agent !== undefined && agent.toolsets.length > 0;
  const { effect, idempotent = false, once } = tool.traits;
  return effect === 'read' || idempotent !== false || tool.reconcile !== undefined || once !== undefined;
}

/**
 * True if the tool of the call may ask a person before it runs. Without a decision on record it has perhaps not run: the
 * gates tell.
 */
function mayAskFirst(root: AgentNode, open: OpenCall): boolean {
  return toolOf(root, open).tool?.mayAskFirst === true;
}

function toolOf(root: AgentNode, { call, event }: OpenCall) {
  const agent = agentOf(root, event);
  if (!(agent instanceof LlmAgentNode)) return {};
  const { name = '' } = call;
  const entry = agent.tools.findCalled(name, event);
  return { agent, tool: entry?.tool };
}

/** The responses to interrupted calls that do not run again. */
export function interruptedResponses(
  context: InvocationContext,
  { unknown, pending }: InterruptedCalls,
): readonly Event[] {
  if (unknown.length === 0 && pending.length === 0) return NO_EVENTS;
  return responsesTo(context, [
    ...unknown.map((open) => [open, unknownOutcome(open)] as const),
    ...pending.map((open) => [open, pendingPart(open.call)] as const),
  ]);
}

/**
 * One event for each event that made such calls, with its path, branch and scope: agents of other branches do not see it.
 * It has the responses in the order of the calls.
 */
function responsesTo(context: InvocationContext, responses: readonly (readonly [OpenCall, Part])[]): Event[] {
  const origins = new Set(responses.map(([{ event }]) => event));
  return [...origins].map((origin) => {
    const own = new Map(
      responses.flatMap(([{ call, event }, part]) => (event === origin ? [[call.id, part]] : [])),
    );
    const parts = functionCallsOf(origin.content).flatMap(({ id }) => own.get(id) ?? []);
    const { author, nodeInfo, branch, isolationScope } = origin;
    return context.event({ author, nodeInfo, branch, isolationScope, content: { role: 'user', parts } });
  });
}

/** True if another call of the events with the interrupted calls still waits for a person. */
export function isSiblingPending({ session }: InvocationContext, { unknown }: InterruptedCalls): boolean {
  const index = PendingIndex.of(session);
  return unknown.some(({ event }) => index.isWaiting(event));
}

function unknownOutcome({ call: { id, name } }: OpenCall): Part {
  return { functionResponse: { id, name, response: OUTCOME_UNKNOWN } };
}

const NO_EVENTS: readonly Event[] = Object.freeze([]);

const NOT_RUN = Object.freeze({ error: 'The call was not run: the agent that made it did not continue.' });

/**
 * Events for calls with unclaimed answers: their agent is gone or did not run. Each call gets a response. If the code has
 * changed, the answers are requested again instead, because the code that made the calls may be deployed again.
 */
export function unclaimedEvents(context: InvocationContext, isTreeChanged: boolean): Event[] {
  const unclaimed = context.invocation.drainUnclaimed().filter(({ kind }) => kind === 'again');
  if (unclaimed.length === 0) return [];
  const index = PendingIndex.of(context.session);
  const lost = isTreeChanged ? unclaimed.filter((one) => one.request !== undefined && isToRun(one)) : [];
  const waiting = new Set(
    lost.flatMap(({ open }) =>
      [open, ...index.callersOf(open.event.isolationScope)].map(({ call }) => call.id),
    ),
  );
  // The agent of a call goes on when the question that waits in it is answered.
  const others = unclaimed.filter(
    ({ open: { call } }) => !waiting.has(call.id) && !index.waitsBelow(call.id ?? ''),
  );
  const responses = others.map((answer) => [answer.open, notRun(answer)] as const);
  return [...lost.flatMap((answer) => requestAgain(answer, context)), ...responsesTo(context, responses)];
}

/** The answered request, made again under a new id. */
function requestAgain({ request }: Answer, context: InvocationContext): Event[] {
  const { id: answered = '' } = request ?? {};
  for (const made of effectiveEventsBackwards(logOf(context.session))) {
    const call = functionCallsOf(made.content).find(({ id }) => id === answered);
    if (!call || made.author === 'user') continue;
    const id = newCallId();
    const { author, nodeInfo, branch, isolationScope, actions } = made;
    const again = repeatedCall(call, id, { reason: 'AGENT_TREE_CHANGED', request: answered });
    const content = { role: 'user', parts: [{ functionCall: again }] };
    const place = { author, nodeInfo, branch, isolationScope, actions, customMetadata: made.customMetadata };
    return [context.event({ ...place, content, longRunningToolIds: [id] })];
  }
  return [];
}

function notRun({ open, isInterrupted, ending }: Answer) {
  const { id, name } = open.call;
  const hasBegun = isInterrupted === true || ending?.mayHaveTakenEffect === true;
  return { functionResponse: { id, name, response: hasBegun ? OUTCOME_UNKNOWN : NOT_RUN } };
}
