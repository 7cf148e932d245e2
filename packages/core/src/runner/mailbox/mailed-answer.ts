import { newInvocationId } from '../../runtime/ids.js';
import type { SessionKey } from '../../events/session.js';
import { REQUEST_CREDENTIAL } from '../../events/pending-request.js';
import { functionResponsesOf } from '../../events/content-parts.js';
import type { CheckedRunInput } from '../begin/run-input.js';
import type { RunSetting } from '../begin/run-setting.js';
import { AnswerRefusedElsewhereError } from '../errors.js';
import type { Letter } from './letter.js';

/**
 * An answer for a session that another process has. It is in the mailbox while its sender waits: a live session over there
 * takes it at once. If that session ends before, the answer is taken back, and begins a run like any other. The sender has
 * checked by then that it may be given; whoever takes it checks it again.
 */
export class MailedAnswer {
  private readonly id = newInvocationId();
  private isPosted = false;

  private constructor(
    private readonly setting: RunSetting,
    private readonly request: CheckedRunInput,
  ) {}

  /** Undefined for what is no answer, and for a credential, which no mailbox holds. */
  static of(setting: RunSetting, request: CheckedRunInput): MailedAnswer | undefined {
    const { kind, mail, message } = request;
    const responses = functionResponsesOf(message);
    const isAnswer = kind === 'message' && mail === undefined && responses.length > 0;
    if (!isAnswer || responses.some(isSecret)) return undefined;
    return new MailedAnswer(setting, request);
  }

  /**
   * Posts the answer, then looks whether it was taken.
   *
   * @throws {AnswerRefusedElsewhereError} if the process that has the session refuses it
   */
  async isTaken(): Promise<boolean> {
    const { sessions } = this.setting.services;
    if (!this.isPosted) {
      this.isPosted = true;
      await this.setting.mail.post(this.key, this.letter());
      return false;
    }
    const mail = (await sessions.listMail(this.key)).find(({ id }) => id === this.id);
    if (mail?.refusal === undefined) return mail === undefined;
    await sessions.deleteMail(this.key, this.id);
    throw new AnswerRefusedElsewhereError(mail.refusal);
  }

  /** Takes the answer back. False if it was taken. */
  async withdraw(): Promise<boolean> {
    return !this.isPosted || this.setting.services.sessions.deleteMail(this.key, this.id);
  }

  private get key(): SessionKey {
    return this.request.key;
  }

  private letter(): Letter {
    const { answerer, message } = this.request;
    const { answering, channel, remember, given, at } = answerer;
    const { principal, isStated } = answering;
    const by = isStated ? principal.id : principal;
    return { id: this.id, kind: 'answer', when: 'next', sentAt: at, message, by, channel, remember, given };
  }
}

/** A credential goes to its own store, encrypted, and nowhere else. */
function isSecret({ name, response }: { readonly name?: string; readonly response?: object }): boolean {
  return name === REQUEST_CREDENTIAL || (response !== undefined && 'credential' in response);
}
