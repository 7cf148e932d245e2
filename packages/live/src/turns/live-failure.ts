import type { Event } from '@adorn/core';
import type { OpenTurn } from '@adorn/core/backend';

/** The event of a failure of the model, or of the answer that `onModelError` puts in its place. */
export async function failureOf(
  turn: OpenTurn,
  {
    code,
    message,
    error = new LiveModelFailedError(code, message),
    turnComplete = false,
  }: {
    readonly code: string;
    readonly message: string;
    readonly error?: unknown;
    readonly turnComplete?: boolean;
  },
): Promise<Event> {
  const { agent, context } = turn;
  const failure = { author: agent.name, errorCode: code, errorMessage: message, turnComplete };
  const { onModelError } = agent.callbacks;
  if (!onModelError) return context.event(failure);
  const request = await turn.request();
  const replaced = await onModelError(error, request, request.callbackContext);
  const actions = request.drainActions();
  if (!replaced?.content) return context.event({ ...failure, actions });
  return context.event({ author: agent.name, content: replaced.content, actions, turnComplete: true });
}

/** A live model has reported a failure: the error that `onModelError` gets. */
class LiveModelFailedError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}
