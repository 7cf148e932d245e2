import type { PrincipalInput } from '../../approvals/principal.js';
import type { Mail } from '../../events/mail.js';
import type { Content } from '../../events/genai-types.js';
import type { SessionKey } from '../../events/session.js';
import { isObject, present, toJsonValue } from '@adorn/schema';
import type { GivenAnswer } from '../answers/read-answers.js';
import type { RunConfig } from '../../run/run-config.js';
import type { MessageInput } from '../begin/run-input.js';

/**
 * When a message is read:
 *
 * - `now`: before the next model call of the run that is open, if the same principal began it; else it is `next`.
 * - `next`: when the open run has ended, by a run of its own.
 * - `instead`: the open run is cancelled, and the message begins the next one, before all that wait.
 */
export type ReadTime = 'now' | 'next' | 'instead';

export const READ_TIMES: readonly ReadTime[] = ['now', 'next', 'instead'];

/** What was sent to a conversation: a message, or an answer for the process that has the session. */
export interface Letter {
  /** Also the id of the run that it begins. */
  readonly id: string;
  readonly kind: 'message' | 'answer';
  readonly when: ReadTime;
  /** In seconds since 1970, by the clock of the sender. */
  readonly sentAt: number;
  readonly message: Content;
  readonly by: PrincipalInput | undefined;
  readonly channel: string | undefined;
  readonly remember: 'session' | undefined;
  /** The answer that a method of the runner was called with. */
  readonly given: GivenAnswer | undefined;
}

/** A letter as a store keeps it. */
export function mailOf({ id, ...body }: Letter): Pick<Mail, 'id' | 'body'> {
  return { id, body: toJsonValue(present(body)) as Mail['body'] };
}

/** Reads a letter. Undefined for one that was refused, or that another version wrote in another form. */
export function readLetter({ id, body, refusal }: Mail): Letter | undefined {
  const { kind, when, sentAt, message, by, channel, remember, given } = body;
  const isRead = (kind === 'message' || kind === 'answer') && READ_TIMES.some((time) => time === when);
  if (!isRead || refusal !== undefined || !isObject(message) || typeof sentAt !== 'number') return undefined;
  return {
    id,
    kind,
    when: when as ReadTime,
    sentAt,
    message: message,
    by: by as PrincipalInput | undefined,
    channel: typeof channel === 'string' ? channel : undefined,
    remember: remember === 'session' ? remember : undefined,
    given: given as GivenAnswer | undefined,
  };
}

/** Letters in the order in which they are read: `instead` first, and each kind as the store took it. */
export function inReadingOrder(letters: readonly Letter[]): readonly Letter[] {
  const isFirst = ({ when }: Letter): boolean => when === 'instead';
  return [...letters.filter(isFirst), ...letters.filter((letter) => !isFirst(letter))];
}

/** The input of the run that a letter begins. @param more what the sender has set for a run that begins in its process */
export function inputOf(
  { userId, sessionId }: SessionKey,
  letter: Letter,
  more: RunConfig = {},
): MessageInput {
  const { id, when, message, by, channel, remember, given } = letter;
  const config = { ...more, whileActive: 'queue' } as const;
  const input = { userId, sessionId, message, by, channel, remember, config };
  return present({ kind: 'message', input: present(input), given, mail: { id, when } });
}
