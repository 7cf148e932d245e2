import { isObject, present } from '@adorn/schema';

import { type Principal, readPrincipal } from '../approvals/principal.js';
import type { Event } from './event.js';

/** What somebody thinks of an answer. */
export interface Feedback {
  /** The id of the event about which it is. */
  readonly eventId: string;
  /** The id of the invocation to which that event belongs. */
  readonly invocationId: string;
  /** Who gave it, without attributes. */
  readonly by: Principal;
  /** When, in seconds since 1970. */
  readonly at: number;
  /** From 0, bad, to 1, good. */
  readonly score: number;
  /** A category, such as `wrong` or `too long`. Default: none. */
  readonly label?: string | undefined;
  /** The reason, in words. Default: none. */
  readonly comment?: string | undefined;
}

/** Feedback as its event holds it. Without a score, whoever gave it took it back. */
export type StoredFeedback = Omit<Feedback, 'score'> & { readonly score: number | undefined };

/** The key of the custom metadata of an event that holds feedback, and nothing for a model. */
const FEEDBACK = 'adorn:feedback';

type Metadata = Readonly<Record<string, unknown>>;

export function feedbackMetadata({ at: _at, ...feedback }: StoredFeedback): Metadata {
  return { [FEEDBACK]: present(feedback) };
}

/** True for an event that holds feedback: it is no step of a run, and belongs to no conversation. */
export function isFeedback({ author, content, customMetadata }: Event): boolean {
  return author === 'user' && content === undefined && customMetadata?.[FEEDBACK] !== undefined;
}

/** The feedback that an event holds; undefined for any other event, and for feedback of a copied log. */
export function feedbackIn(event: Event): StoredFeedback | undefined {
  const stored = isFeedback(event) ? event.customMetadata?.[FEEDBACK] : undefined;
  if (!isObject(stored)) return undefined;
  const { eventId, invocationId, score, label, comment } = stored;
  const by = readPrincipal(stored['by']);
  if (by === undefined || typeof eventId !== 'string' || typeof invocationId !== 'string') return undefined;
  return {
    ...{ eventId, invocationId, by, at: event.timestamp },
    score: isScore(score) ? score : undefined,
    label: typeof label === 'string' ? label : undefined,
    comment: typeof comment === 'string' ? comment : undefined,
  };
}

/**
 * The event without what was said in it: feedback is about an answer in the conversation in which it was given, and a log of
 * somebody else proves none. Any other event is returned unchanged.
 */
export function withoutFeedback(event: Event): Event {
  if (!isFeedback(event)) return event;
  return event.with({ customMetadata: { ...event.customMetadata, [FEEDBACK]: {} } });
}

/** True for a number from 0 to 1. */
export function isScore(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}
