import { type Principal, readPrincipal } from '../approvals/principal.js';
import type { Event } from './event.js';
import { isRemarkOf, remarkIn } from './remark.js';

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

/** True for an event that holds feedback: it is no step of a run, and belongs to no conversation. */
export function isFeedback(event: Event): boolean {
  return isRemarkOf('feedback', event);
}

/** The feedback that an event holds; undefined for any other event, and for feedback of a copied log. */
export function feedbackIn(event: Event): StoredFeedback | undefined {
  const stored = remarkIn('feedback', event);
  if (!stored) return undefined;
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

/** True for a number from 0 to 1. */
export function isScore(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}
