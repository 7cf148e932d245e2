import { type CallbackContext, joinText } from '@adorn/core';
import type { EventBody, OpenTurn, Said } from '@adorn/core/backend';

/** The fields of the event of an answer as `afterModel` leaves them, with what the callbacks have written. */
export async function afterModel(
  turn: OpenTurn,
  said: Omit<EventBody, 'author'>,
  context: CallbackContext,
): Promise<Said> {
  const { content, usageMetadata, groundingMetadata, outputTranscription } = said;
  const response = { content, usageMetadata, groundingMetadata };
  const changed = await turn.agent.callbacks.afterModel?.(response, context);
  const actions = turn.closed(context);
  const words = changed?.content ?? content;
  const transcribed = outputTranscription && words ? { text: joinText(words), finished: true } : undefined;
  return { ...said, content: words, outputTranscription: transcribed, actions };
}
