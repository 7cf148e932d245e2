import type { Event } from '../events/event.js';
import type { OpenCall } from '../log/pending-call-index.js';
import { PendingIndex } from '../log/pending-index.js';
import type { Answer } from '../invocation/answer.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import type { ReadAnswers } from './read-answers.js';

const OUTCOME_UNKNOWN = Object.freeze({
  error: 'outcome unknown: the run ended while this call was under way. It may have taken effect.',
  outcome: 'unknown',
});

/**
 * Responses to calls of earlier runs that ended before the calls did, because their process died or their reader left:
 * one event for each event that made such calls. Calls that the message answers are not among them.
 */
export function abandonedCalls(context: InvocationContext, { answers }: ReadAnswers): Event[] {
  const abandoned = PendingIndex.of(context.session).abandoned();
  if (abandoned.length === 0) return [];
  const resumed = new Set(answers.map(({ open }) => open.call.id));
  const origins = new Map<Event, OpenCall[]>();
  for (const open of abandoned) {
    if (resumed.has(open.call.id)) continue;
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

function notRun({ open }: Answer) {
  const { id, name } = open.call;
  return {
    functionResponse: {
      ...(id !== undefined && { id }),
      ...(name !== undefined && { name }),
      response: NOT_RUN,
    },
  };
}
