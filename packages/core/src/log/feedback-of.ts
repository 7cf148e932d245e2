import { composedKey } from '@adorn/schema';

import { type Feedback, feedbackIn, type StoredFeedback } from '../events/feedback.js';
import { logOf, type Session } from '../events/session.js';

/**
 * The feedback on the answers of a conversation, in the order in which it was given: of each principal and event the last one, if
 * it was not taken back. Feedback on what a rewind undid is there, too.
 *
 * ```ts
 * const disliked = feedbackOf(session).filter(({ score }) => score < 0.5);
 * ```
 */
export function feedbackOf(session: Session): Feedback[] {
  const given = new Map<string, Feedback>();
  for (const event of logOf(session)) {
    const feedback = feedbackIn(event);
    if (!feedback) continue;
    const { score } = feedback;
    given.delete(giverKey(feedback));
    if (score !== undefined) given.set(giverKey(feedback), { ...feedback, score });
  }
  return [...given.values()];
}

/** A text that differs between principals, and between events. */
export function giverKey({ eventId, by }: Pick<StoredFeedback, 'eventId' | 'by'>): string {
  return composedKey(eventId, by.id, by.tenant ?? '');
}
