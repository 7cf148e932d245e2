import { joinText } from '../events/content-parts.js';
import type { Event } from '../events/event.js';
import type { Content } from '../events/genai-types.js';
import { isCancelledEnd } from '../run/cancellation.js';

/** The pieces of one answer that a reader was given. */
interface ShownAnswer {
  /** The last piece: who answers, and where. */
  readonly piece: Event;
  readonly text: string;
}

/**
 * The pieces of streamed answers that a run has shown, and whose whole answers are not stored. When the run is cancelled, they
 * are stored with its end: the conversation goes on from what a reader has seen. Thoughts are no part of it.
 */
export class ShownPieces {
  /** By the id of the event of the whole answer. */
  private readonly answers = new Map<string, ShownAnswer>();

  note(piece: Event): void {
    const text = piece.content?.role === 'model' ? joinText(piece.content) : '';
    if (text === '') return;
    const before = this.answers.get(piece.id)?.text ?? '';
    this.answers.set(piece.id, { piece, text: before + text });
  }

  /** The event as it is stored: the end of an agent that was cancelled holds what the agent has said. */
  complete(event: Event): Event {
    if (this.answers.size === 0) return event;
    const isSaid = event.content?.role === 'model';
    const isEnd = isCancelledEnd(event) && !event.content;
    if (!isSaid && !isEnd) return event;
    const answer = [...this.answers.values()].find(({ piece }) => isOfSameRun(piece, event));
    if (answer && isEnd) return this.take(answer, event);
    if (answer) this.answers.delete(answer.piece.id);
    return event;
  }

  /** The answers of agents that did not end by themselves, such as one that hangs, or whose code makes the pieces. */
  cut(end: (piece: Event) => Event): Event[] {
    return [...this.answers.values()].map((answer) => this.take(answer, end(answer.piece)));
  }

  private take({ piece, text }: ShownAnswer, end: Event): Event {
    this.answers.delete(piece.id);
    const content: Content = { role: 'model', parts: [{ text }] };
    const { author, branch, nodeInfo, isolationScope } = piece;
    return end.with({ id: piece.id, author, branch, nodeInfo, isolationScope, content, interrupted: true });
  }
}

function isOfSameRun(one: Event, other: Event): boolean {
  const isSamePlace = one.nodeInfo?.path === other.nodeInfo?.path && one.branch === other.branch;
  return isSamePlace && one.author === other.author && one.isolationScope === other.isolationScope;
}
