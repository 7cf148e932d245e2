import { type CallbackContext, joinText } from '@adorn/core';
import type { EventBody, LiveEvent, OpenTurn } from '@adorn/core/backend';

type Piece = Extract<LiveEvent, { kind: 'text' | 'outputTranscript' }>;

/** Shows something that is not stored. */
export function show(
  turn: OpenTurn,
  body: Omit<EventBody, 'author'> & { readonly author?: string },
): Promise<void> {
  const { agent, context, sink } = turn;
  return sink.emit(context.event({ author: agent.name, ...body, partial: true }));
}

/**
 * Shows a piece of the answer as `onModelPiece` leaves it.
 *
 * @param contextOf the context of the callbacks that see the answer
 */
export async function showPiece(
  turn: OpenTurn,
  event: Piece,
  contextOf: () => CallbackContext,
): Promise<void> {
  const { onModelPiece } = turn.agent.callbacks;
  const shown = pieceOf(event);
  if (!onModelPiece) return show(turn, shown);
  const isThought = 'thought' in event && event.thought === true;
  const part = isThought ? { text: event.text, thought: true } : { text: event.text };
  const piece = { content: { role: 'model', parts: [part] }, partial: true };
  const changed = await onModelPiece(piece, contextOf());
  if (changed === false) return undefined;
  const content = changed?.content;
  if (!content) return show(turn, shown);
  if (event.kind === 'text') return show(turn, { content });
  return show(turn, { outputTranscription: transcript({ ...event, text: joinText(content) }) });
}

/** A transcript for an event. */
export function transcript({
  text,
  finished,
}: {
  readonly text: string;
  readonly finished?: boolean;
}): object {
  return finished === undefined ? { text } : { text, finished };
}

/** A piece of an answer, as it is shown. */
function pieceOf(event: Piece): Omit<EventBody, 'author'> {
  if (event.kind === 'outputTranscript') return { outputTranscription: transcript(event) };
  const part = event.thought === true ? { text: event.text, thought: true } : { text: event.text };
  return { content: { role: 'model', parts: [part] } };
}
