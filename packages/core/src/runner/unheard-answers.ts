import type { Event } from '../events/event.js';
import type { Answer } from '../invocation/answer.js';
import type { InvocationContext } from '../invocation/invocation-context.js';

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
