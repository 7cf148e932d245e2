import type { Event, FunctionCall } from '@adorn/core';
import { effectiveEvents, type Feedback } from '@adorn/core/backend';

import type { EvalCase, EvalInvocation, IntermediateData, JudgedInvocation } from './eval-set.js';

/** Calls with this prefix are questions to people, and no tools of the agent. */
const REQUEST_PREFIX = 'adk_request_';

/**
 * The turns of a conversation as they were: each from a message of the user to the one after it, without what was rewound and
 * without what agents did that were called as tools.
 */
export function invocationsOf(events: readonly Event[]): EvalInvocation[] {
  return turnsOf(events).map(turnOf);
}

/** The turns of a conversation with what was thought of their answers. */
export function judgedInvocationsOf(
  events: readonly Event[],
  feedback: readonly Feedback[],
): JudgedInvocation[] {
  return turnsOf(events).map((turn) => {
    const ids = new Set(turn.map(({ id }) => id));
    const own = feedback.filter(({ eventId }) => ids.has(eventId));
    return own.length === 0 ? turnOf(turn) : { ...turnOf(turn), feedback: own };
  });
}

/** The events of each turn, the message of the user first. */
function turnsOf(events: readonly Event[]): readonly (readonly Event[])[] {
  const turns: Event[][] = [];
  for (const event of effectiveEvents(events)) {
    if (event.partial || event.isolationScope !== undefined) continue;
    if (isMessage(event)) turns.push([event]);
    else turns.at(-1)?.push(event);
  }
  return turns;
}

/** A case from a conversation: what was is what is expected. */
export function evalCaseOf(
  evalId: string,
  { events, appName, userId }: Pick<SessionLike, 'events' | 'appName' | 'userId'>,
): EvalCase {
  return {
    evalId,
    conversation: invocationsOf(events),
    sessionInput: { appName, userId, state: {} },
    creationTimestamp: Date.now() / 1000,
  };
}

interface SessionLike {
  readonly appName: string;
  readonly userId: string;
  readonly events: readonly Event[];
}

/** A message: no answer to a question or a call. */
function isMessage({ author, content, functionResponses }: Event): boolean {
  return author === 'user' && functionResponses.length === 0 && (content?.parts ?? []).length > 0;
}

function turnOf([message, ...rest]: readonly Event[]): EvalInvocation {
  const { invocationId, content, timestamp } = message as Event;
  return {
    invocationId,
    userContent: { role: 'user', parts: content?.parts ?? [] },
    ...answerIn(rest),
    creationTimestamp: timestamp,
  };
}

/**
 * What an agent did and said, by the events after a message of the user.
 *
 * @param options `withResponses`: true for what the tools returned, too
 */
export function answerIn(
  events: readonly Event[],
  { withResponses = false }: { readonly withResponses?: boolean } = {},
): Pick<EvalInvocation, 'finalResponse' | 'intermediateData'> {
  const own = events.filter(
    ({ author, partial, isolationScope }) => author !== 'user' && !partial && isolationScope === undefined,
  );
  const answer = own.findLast(({ isFinalResponse, text }) => isFinalResponse && text !== '');
  const said = own.filter((event) => event !== answer && event.text !== '');
  return {
    ...(answer?.content && { finalResponse: { role: 'model', parts: answer.content.parts ?? [] } }),
    intermediateData: {
      toolUses: own.flatMap((event) => event.functionCalls.filter(isToolUse).map(withoutId)),
      ...(withResponses && { toolResponses: lastResponses(own) }),
      intermediateResponses: said.map(({ author, text }) => [author, [{ text }]]),
    },
  };
}

/** The last response to each call: one that waits for a person has an interim one before it. */
function lastResponses(events: readonly Event[]): NonNullable<IntermediateData['toolResponses']> {
  const all = events.flatMap(({ functionResponses }) => functionResponses);
  const tools = all.filter(({ name = '' }) => !name.startsWith(REQUEST_PREFIX));
  return [...new Map(tools.map((response) => [response.id, response])).values()];
}

function isToolUse({ name = '' }: FunctionCall): boolean {
  return !name.startsWith(REQUEST_PREFIX);
}

function withoutId({ name = '', args = {} }: FunctionCall): FunctionCall {
  return { name, args };
}
