import { type Mail, sentAs } from '../../events/mail.js';
import { keyOf, logOf, type Session, type SessionKey } from '../../events/session.js';
import type { InvocationServices } from '../../run/invocation-services.js';
import { AdornError } from '@adorn/schema';
import type { MessageInput, CheckedRunInput } from '../begin/run-input.js';
import { MailboxFullError } from '../errors.js';
import type { Run } from '../run.js';
import { inputOf, type Letter, mailOf, readLetter } from './letter.js';

/** How many messages may wait in one conversation: a sender that is quicker than the model is told so. */
const MAX_WAITING = 100;

/** How old the answer of another process is when its sender, which looks after it, is taken for dead, in seconds. */
const DEAD_SENDER_S = 10;

/** Errors after which a letter is tried again: another process has the session, or this one is closing. */
const TRANSIENT: readonly string[] = [
  'CANCELLED',
  'RUNNER_CLOSED',
  'SESSION_TAKEN_OVER',
  'INVOCATION_ACTIVE',
];

/** The parts of a mailroom. */
interface MailroomFields {
  readonly appName: string;
  readonly services: Pick<InvocationServices, 'sessions' | 'clock' | 'logger'>;
  /** Begins the run of a letter. */
  readonly begin: (input: MessageInput, invocationId: string) => Run<unknown>;
  readonly isClosing: () => boolean;
}

/**
 * What is sent to the conversations of a runner. A letter is stored before anything else, and leaves the mailbox when its
 * message is in the log: within the run that is open, or as the message of a run of its own, whichever process comes first.
 * A run of its own that finds its letter gone ends without an event.
 */
export class Mailroom {
  /** The runs that letters have begun in this runner, by the ids of the letters. */
  private readonly begun = new Map<string, Run<unknown>>();

  constructor(private readonly fields: MailroomFields) {}

  /** Stores a letter. @throws {NotSupportedError | SessionNotFoundError | MailboxFullError} */
  async post(key: SessionKey, letter: Letter): Promise<void> {
    const { sessions } = this.fields.services;
    const waiting = letter.kind === 'message' ? await sessions.listMail(key) : [];
    if (waiting.length >= MAX_WAITING) throw new MailboxFullError(key.sessionId, MAX_WAITING);
    await sessions.postMail(key, mailOf(letter));
  }

  /** The letters of a session that were not refused, in the order in which they were sent. */
  async letters(key: SessionKey): Promise<readonly Letter[]> {
    const mail = await this.fields.services.sessions.listMail(key);
    return mail.flatMap((one) => readLetter(one) ?? []);
  }

  /** Begins the run of a letter, once. */
  begin(key: SessionKey, letter: Letter): Run<unknown> {
    const known = this.begun.get(letter.id);
    if (known) return known;
    const run = this.fields.begin(inputOf(key, letter), letter.id);
    this.begun.set(letter.id, run);
    void this.watch(key, letter.id, run);
    return run;
  }

  /** Begins the runs of all letters of a session, such as of those that an ended run has not read. */
  async forward(key: SessionKey, sentBefore = Infinity): Promise<readonly Run<unknown>[]> {
    const { services, isClosing } = this.fields;
    try {
      const mail = await services.sessions.listMail(key);
      const now = services.clock.now();
      await this.removeRefused(key, mail, now);
      const letters = mail.flatMap((one) => readLetter(one) ?? []);
      const isDue = ({ kind, sentAt }: Letter): boolean =>
        sentAt < sentBefore && (kind === 'message' || now - sentAt > DEAD_SENDER_S);
      return isClosing() ? [] : letters.filter(isDue).map((letter) => this.begin(key, letter));
    } catch (error) {
      services.logger.warn('the mail of a session could not be read', { sessionId: key.sessionId, error });
      return [];
    }
  }

  /** Removes refused answers whose senders, who read the refusal and remove it, have died. */
  private async removeRefused(key: SessionKey, mail: readonly Mail[], now: number): Promise<void> {
    for (const { id, body, refusal } of mail)
      if (refusal !== undefined && now - Number(body['sentAt'] ?? 0) > DEAD_SENDER_S)
        await this.remove(key, id);
  }

  /** Waits for the runs of the letters that are read before this one. */
  async earlier({ key, mail }: Pick<CheckedRunInput, 'key' | 'mail'>): Promise<void> {
    if (!mail) return;
    for (const letter of await this.letters(key)) {
      if (letter.id === mail.id) return;
      const isBefore = mail.when !== 'instead' || letter.when === 'instead';
      if (isBefore && letter.kind === 'message') await this.begin(key, letter).catch(noop);
    }
  }

  /** True if nobody has taken the mail. It is deleted if only its row was left. */
  async isUnread(session: Session, id: string): Promise<boolean> {
    const key = keyOf(session);
    const { sessions } = this.fields.services;
    const mail = (await sessions.listMail(key)).find((one: Mail) => one.id === id);
    if (!mail || mail.refusal !== undefined) return false;
    if (!logOf(session).some((event) => sentAs(event) === id)) return true;
    await this.remove(key, id);
    return false;
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

  private async watch(key: SessionKey, id: string, run: Run<unknown>): Promise<void> {
    const { services } = this.fields;
    try {
      await run;
    } catch (error) {
      services.logger.warn('the run of a message that was sent failed', { sessionId: key.sessionId, error });
      await this.drop(key, id, error);
    } finally {
      this.begun.delete(id);
    }
  }
}

/** True for an error after which a letter is tried again. A store that fails keeps its letters. */
function isTransient(error: unknown): boolean {
  return !AdornError.is(error) || TRANSIENT.includes(error.code);
}

function noop(): void {
  // The failure of a letter is its own.
}
