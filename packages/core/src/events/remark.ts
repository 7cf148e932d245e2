import type { Event } from './event.js';
import { isFeedback, withoutFeedback } from './feedback.js';
import { isSettlement, withoutSettlement } from './settlement.js';

/**
 * True for an event with which a person says something about the log, and which is no step of a run: feedback, or the settlement of
 * an effect. No model reads it.
 */
export function isRemark(event: Event): boolean {
  return isFeedback(event) || isSettlement(event);
}

/** The event without what was said in it, if it is a remark: it is about the conversation in which it was made. */
export function withoutRemark(event: Event): Event {
  return withoutSettlement(withoutFeedback(event));
}
