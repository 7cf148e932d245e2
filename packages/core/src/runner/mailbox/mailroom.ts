import { type Mail, sentAs } from '../../events/mail.js';
import { keyOf, logOf, type Session, type SessionKey } from '../../events/session.js';
import { Cancellation } from '../../run/cancellation.js';
import type { InvocationServices } from '../../run/invocation-services.js';
import type { RunConfig } from '../../run/run-config.js';
import { AdornError } from '@adorn/schema';
import type { MessageInput } from '../begin/run-input.js';
import { MailboxFullError } from '../errors.js';
import type { Run } from '../run.js';
import { inputOf, inReadingOrder, type Letter, mailOf, readLetter } from './letter.js';

/** How many messages may wait in one conversation: a sender that is quicker than the model is told so. */
const MAX_WAITING = 100;

/** How old the answer of another process is when its sender, which looks after it, is taken for dead, in seconds. */
const DEAD_SENDER_S = 10;

/** Errors of others than the message, after which a letter is tried again: another process has the session, or a store fails. */
const TRANSIENT: readonly string[] = [
  'CANCELLED',
  'RUNNER_CLOSED',
  'SESSION_TAKEN_OVER',
  'SESSION_CONFLICT',
  'INVOCATION_ACTIVE',
  'SERVER_BUSY',
];

/** The first and the longest pause before a letter is tried again, in milliseconds. Each is twice as long as the one before. */
const PAUSE_MS = { first: 50, longest: 2_000 } as const;

/** Where a letter is: gone from the mailbox, the first one in it, or behind the letter that is to be read before it. */
export type LetterPlace = 'gone' | 'first' | Letter;

/** The parts of a mailroom. */
interface MailroomFields {
  readonly appName: string;
  readonly services: Pick<InvocationServices, 'sessions' | 'clock' | 'logger'>;
  /** Begins the run of a letter. */
  readonly begin: (input: MessageInput, invocationId: string) => Run<unknown>;
  readonly isClosing: () => boolean;
}

/**
 * What is sent to the conversations of a runner, and who reads it. A letter is stored before anything else, and leaves the mailbox
 * when its message is in the log. Until then there is a process that is to read it:
 *
 * 1. The process that sent it begins the run of the letter, which waits for the session, and **ends when the letter has left the
 *    mailbox**, not before: a store that fails, or a session that is lost, makes it wait and look again. If the letter was read by
 *    another run, it ends without an event. If it is cancelled before, the letter is withdrawn.
 * 2. A process whose run has the session, and sees the letter, reads it within that run, or begins the run of the letter after
 *    it. In its live session it begins none before.
 * 3. When these have died, `recover` of any process begins the run.
 *
 * So several processes may have a run of one letter. The store lets one of them append the message.
 *
 * Order: a run that has the session reads its letter only if it is the first in the mailbox. Otherwise it begins the run of the
 * first one, whoever sent that, and lets it go before.
 */
export class Mailroom {
  /** The runs that letters have begun in this runner, by the ids of the letters. */
  private readonly begun = new Map<string, Run<unknown>>();

  constructor(private readonly fields: MailroomFields) {}

  /** Stores a letter. @throws {NotSupportedError | SessionNotFoundError | MailboxFullError} */
  async post(key: SessionKey, letter: Letter): Promise<void> {
    const { sessions } = this.fields.services;
    const waiting = letter.kind === 'message' ? await sessions.listMail(key) : [];
    if (waiting.some(({ id }) => id === letter.id)) return;
    if (waiting.length >= MAX_WAITING) throw new MailboxFullError(key.sessionId, MAX_WAITING);
    try {
      await sessions.postMail(key, mailOf(letter));
    } catch (error) {
      // A store that fails may have it: the sender is told that it was not sent.
      if (isTransient(error)) await this.remove(key, letter.id);
      throw error;
    }
  }

  /** The letters of a session that were not refused, in the order in which they are read. */
  async letters(key: SessionKey): Promise<readonly Letter[]> {
    const mail = await this.fields.services.sessions.listMail(key);
    return inReadingOrder(mail.flatMap((one) => readLetter(one) ?? []));
  }

  /** The letters that the log does not have. Of those that it has, the rows are deleted: their reader died before it did so. */
  async unread(session: Session): Promise<readonly Letter[]> {
    const key = keyOf(session);
    const letters = await this.letters(key);
    const ids = new Set(letters.map(({ id }) => id));
    const read = new Set(
      logOf(session)
        .flatMap((event) => sentAs(event) ?? [])
        .filter((id) => ids.has(id)),
    );
    for (const id of read) await this.remove(key, id);
    return letters.filter(({ id }) => !read.has(id));
  }

  /** Where a letter is, for a run that has the session, and how many others there are. */
  async placeOf(
    session: Session,
    id: string,
  ): Promise<{ readonly place: LetterPlace; readonly others: number }> {
    const letters = await this.unread(session);
    const own = letters.find((letter) => letter.id === id);
    if (!own) return { place: 'gone', others: letters.length };
    const [first] = letters.filter(({ kind }) => kind === 'message');
    const isFirst = own.kind === 'answer' || !first || first.id === id;
    return { place: isFirst ? 'first' : first, others: letters.length - 1 };
  }

  /** Begins the run of a letter, once. */
  begin(key: SessionKey, letter: Letter, config?: RunConfig): Run<unknown> {
    const known = this.begun.get(letter.id);
    if (known) return known;
    const run = this.fields.begin(inputOf(key, letter, config), letter.id);
    this.begun.set(letter.id, run);
    void this.watch(key, letter.id, run);
    return run;
  }

  /**
   * Begins the runs of the letters that an ended run has not read. Tries again until the store answers.
   *
   * @returns how many runs were begun
   */
  async forward(key: SessionKey): Promise<number> {
    const { clock, logger } = this.fields.services;
    for (let attempt = 0; !this.fields.isClosing(); attempt++) {
      try {
        return (await this.beginAll(key)).length;
      } catch (error) {
        logger.warn('the mail of a session could not be read', { sessionId: key.sessionId, error });
        await new Cancellation(clock).sleep(pauseOf(attempt));
      }
    }
    return 0;
  }

  /** Begins the runs of all letters of a session. @param sentBefore only of letters that are older, in seconds since 1970 */
  async beginAll(key: SessionKey, sentBefore = Infinity): Promise<readonly Run<unknown>[]> {
    const { services, isClosing } = this.fields;
    const mail = await services.sessions.listMail(key);
    const now = services.clock.now();
    await this.removeRefused(key, mail, now);
    const letters = inReadingOrder(mail.flatMap((one) => readLetter(one) ?? []));
    const isDue = ({ kind, sentAt }: Letter): boolean =>
      sentAt < sentBefore && (kind === 'message' || now - sentAt > DEAD_SENDER_S);
    return isClosing() ? [] : letters.filter(isDue).map((letter) => this.begin(key, letter));
  }

  /** Removes refused answers whose senders, who read the refusal and remove it, have died. */
  private async removeRefused(key: SessionKey, mail: readonly Mail[], now: number): Promise<void> {
    for (const { id, body, refusal } of mail)
      if (refusal !== undefined && now - Number(body['sentAt'] ?? 0) > DEAD_SENDER_S)
        await this.remove(key, id);
  }

  /** Removes a mail whose message is in the log. What is left of it is removed by whoever finds it. */
  async remove(key: SessionKey, id: string): Promise<boolean> {
    const { sessions, logger } = this.fields.services;
    try {
      return await sessions.deleteMail(key, id);
    } catch (error) {
      logger.warn('the mail of a session could not be removed', { sessionId: key.sessionId, error });
      return false;
    }
  }

  /** Drops a message that cannot be stored, so that it does not stop those after it again and again. */
  async drop(key: SessionKey, id: string, error: unknown): Promise<void> {
    if (!isTransient(error)) await this.remove(key, id);
  }

  /** Records why an answer is not taken: its sender, who waits, reads it. */
  async refuse(key: SessionKey, id: string, error: unknown): Promise<void> {
    if (!AdornError.is(error) || isTransient(error)) return;
    const { sessions, logger } = this.fields.services;
    try {
      await sessions.refuseMail(key, id, JSON.stringify({ code: error.code, message: error.message }));
    } catch (failure) {
      logger.warn('the mail of a session could not be refused', { sessionId: key.sessionId, error: failure });
    }
  }

  /** A letter ends with its run: it was read, it was refused, or it is withdrawn. A runner that is closed leaves it to others. */
  private async watch(key: SessionKey, id: string, run: Run<unknown>): Promise<void> {
    const { isClosing, services } = this.fields;
    try {
      await run;
    } catch (error) {
      services.logger.warn('the run of a message that was sent failed', { sessionId: key.sessionId, error });
    }
    if (!isClosing()) await this.remove(key, id);
    this.begun.delete(id);
  }
}

/** True for an error after which a letter is tried again. A store that fails keeps its letters. */
export function isTransient(error: unknown): boolean {
  if (!AdornError.is(error)) return true;
  return TRANSIENT.includes(error.code) || error.code.startsWith('STORAGE_');
}

/** Milliseconds before a letter is tried again. @param attempt from 0 */
export function pauseOf(attempt: number): number {
  return Math.min(PAUSE_MS.first * 2 ** attempt, PAUSE_MS.longest);
}
