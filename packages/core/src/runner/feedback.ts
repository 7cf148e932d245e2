import { isSameJson, kindOf, present, shownName } from '@adorn/schema';

import { type PrincipalInput, toPrincipal } from '../approvals/principal.js';
import { Event, responseTextOf } from '../events/event.js';
import { runIdOf } from '../events/event-place.js';
import { type Feedback, feedbackIn, isScore, type StoredFeedback } from '../events/feedback.js';
import { remarkMetadata } from '../events/remark.js';
import { logOf, type Session, type SessionKey } from '../events/session.js';
import { feedbackOf, giverKey } from '../log/feedback-of.js';
import type { InvocationServices } from '../run/invocation-services.js';
import { newInvocationId } from '../runtime/ids.js';
import { SessionNotFoundError } from '../stores/sessions/errors.js';
import type { ConversationAddress } from './begin/run-input.js';
import {
  EventNotFoundError,
  FeedbackInvalidError,
  FeedbackLimitError,
  InvocationNotFoundError,
} from './errors.js';

/** What somebody thinks of an answer, and which one it is. */
export interface FeedbackInput extends ConversationAddress {
  readonly sessionId: string;
  /** The id of the event of an agent about which it is, such as its answer. Default: that of `invocationId`. */
  readonly eventId?: string | undefined;
  /** The id of the invocation about whose answer it is. Give either this or `eventId`. */
  readonly invocationId?: string | undefined;
  /** From 0, bad, to 1, good. `null` takes the feedback of this principal on this event back. */
  readonly score: number | null;
  /** A category, such as `wrong` or `too long`: at most 200 characters. Default: none. */
  readonly label?: string | undefined;
  /** The reason, in words: at most 4,000 characters. Default: none. */
  readonly comment?: string | undefined;
  /** Who gives it: a principal, or the id of a person. Default: the user of the session. */
  readonly by?: PrincipalInput | undefined;
}

const MOST_CHARACTERS = { label: 200, comment: 4_000 } as const;

/** How often a principal may change what it said of an event: each time is an event in the log. It may take it back after that. */
const MOST_CHANGES = 20;

/**
 * Appends feedback to the log of a session, beside whatever run has it. Repeated, it appends nothing.
 *
 * @returns the feedback; undefined if it is taken back
 * @throws {SessionNotFoundError | EventNotFoundError | InvocationNotFoundError | FeedbackInvalidError | FeedbackLimitError |
 * PrincipalInvalidError}
 */
export async function giveFeedback(
  { sessions, clock }: Pick<InvocationServices, 'sessions' | 'clock'>,
  key: SessionKey,
  input: FeedbackInput,
): Promise<Feedback | undefined> {
  const given = checkedFeedback(input);
  // No rule reads the attributes of who judges, and others who read the session would see them.
  const by = { ...toPrincipal(input.by ?? key.userId, 'by'), attributes: {} };
  const session = await sessions.getSession(key);
  if (!session) throw new SessionNotFoundError(key.sessionId);
  const { id: eventId, invocationId } = judgedEvent(session, input);
  const feedback: StoredFeedback = { eventId, invocationId, by, at: clock.now(), ...given };
  const before = feedbackOf(session).find((one) => giverKey(one) === giverKey(feedback));
  if (isSaidAlready(before, given)) return before;
  const { score } = feedback;
  if (score !== undefined && changesOf(session, feedback) >= MOST_CHANGES)
    throw new FeedbackLimitError(eventId, MOST_CHANGES);
  const customMetadata = remarkMetadata('feedback', feedback);
  const stamp = { invocationId: newInvocationId(), timestamp: feedback.at };
  await sessions.appendEvent(session, new Event({ author: 'user', customMetadata }, stamp));
  return score === undefined ? undefined : present({ ...feedback, score });
}

type Given = Pick<StoredFeedback, 'score' | 'label' | 'comment'>;

/** @throws {FeedbackInvalidError} */
function checkedFeedback({ eventId, invocationId, score, label, comment }: FeedbackInput): Given {
  if ((eventId === undefined) === (invocationId === undefined)) throw FeedbackInvalidError.ofPlace();
  for (const [name, id] of Object.entries({ eventId, invocationId }))
    if (id !== undefined && typeof id !== 'string') throw FeedbackInvalidError.ofText(name, kindOf(id));
  if (score !== null && !isScore(score)) throw FeedbackInvalidError.ofScore(score);
  for (const [name, most] of Object.entries(MOST_CHARACTERS)) {
    const text: unknown = name === 'label' ? label : comment;
    if (text === undefined) continue;
    if (typeof text !== 'string') throw FeedbackInvalidError.ofText(name, kindOf(text));
    if (text.length > most) throw FeedbackInvalidError.ofLength(name, text.length, most);
  }
  if (score === null) {
    if (label !== undefined || comment !== undefined) throw FeedbackInvalidError.ofTakenBack();
    return { score: undefined };
  }
  return { score, label, comment };
}

/**
 * The event about which feedback is: one of an agent. Of an invocation it is the answer, or, if it has none, its last event.
 *
 * @throws {EventNotFoundError | InvocationNotFoundError}
 */
function judgedEvent(session: Session, { eventId, invocationId = '' }: FeedbackInput): Event {
  const made = logOf(session).filter(({ author }) => author !== 'user');
  if (eventId !== undefined) {
    const event = made.find(({ id }) => id === eventId);
    if (!event) throw new EventNotFoundError(shownName(eventId), session.id);
    return event;
  }
  const own = made.filter((event) => event.invocationId === invocationId || runIdOf(event) === invocationId);
  const isAnswer = (event: Event): boolean =>
    event.isolationScope === undefined && responseTextOf(event) !== undefined;
  const event = own.findLast(isAnswer) ?? own.at(-1);
  if (!event) throw new InvocationNotFoundError(shownName(invocationId), session.id);
  return event;
}

function isSaidAlready(before: Feedback | undefined, given: Given): boolean {
  const { score, label, comment }: Partial<Given> = before ?? {};
  return isSameJson(present({ score, label, comment }), present({ ...given }));
}

/** How often the principal has said something of the event. */
function changesOf(session: Session, feedback: StoredFeedback): number {
  const key = giverKey(feedback);
  return logOf(session).filter((event) => {
    const said = feedbackIn(event);
    return said !== undefined && giverKey(said) === key;
  }).length;
}
