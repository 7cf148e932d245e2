import { toPrincipal } from '../../approvals/principal.js';
import type { Content } from '../../events/genai-types.js';
import type { EventSink } from '../../events/event-sink.js';
import { consumedAs, READ_WITHIN, SENT_AS } from '../../events/mail.js';
import { AdornError, isSameJson } from '@adorn/schema';
import type { Invocation, UnreadMail } from '../../run/invocation.js';
import type { Replacement } from '../../run/replacement.js';
import { deliverAnswer } from '../live/deliver-answer.js';
import type { OpenSession } from '../live/live-sessions.js';
import type { RunProgress } from '../run-progress.js';
import { inputOf, type Letter } from './letter.js';

/** What is sent to a run while it is open: read between its model calls, or passed to its live session. */
export class RunMailbox implements UnreadMail {
  isDue = false;
  /** True if the session had mail since the run began: what the run has not read begins runs of its own after it. */
  isToForward = false;
  /** The ids of the letters that were passed to the live session. */
  private readonly passed = new Set<string>();

  constructor(private readonly run: RunProgress) {}

  /** Called when the session may have mail. */
  notice(): void {
    this.isToForward = true;
    if (!this.run.request.live) this.isDue = true;
    void this.lookThrough();
  }

  async take(invocation: Invocation, sink: EventSink): Promise<void> {
    this.isDue = false;
    const letters = await this.run.setting.mail.letters(this.run.request.key);
    if (letters[0]?.when === 'instead') await this.lookForInstead();
    if (invocation.cancellation.isCancelled) return;
    for (const letter of letters)
      if (letter.kind === 'message' && letter.when === 'now' && this.isOfRequester(letter))
        await this.takeOne(letter, invocation, sink);
  }

  /** Stores a message as an event of the run. Another process that has stored it before keeps it. */
  private async takeOne({ id, message }: Letter, invocation: Invocation, sink: EventSink): Promise<void> {
    const { request, setting } = this.run;
    const { root } = invocation;
    const replaced = await this.replacementOf(id, message, invocation);
    if (!replaced) return;
    const content = replaced.content ?? message;
    const customMetadata = { [SENT_AS]: id, [READ_WITHIN]: true };
    const event = root.event({ author: 'user', actions: replaced.actions, customMetadata }, content);
    try {
      await invocation.log.appendUnchanged(event, { consumes: [consumedAs({ id })] });
    } catch (error) {
      if (!isTaken(error, id)) throw error;
      await setting.mail.remove(request.key, id);
      return;
    }
    invocation.readWithin = Object.freeze([...invocation.readWithin, event.content ?? content]);
    await setting.mail.remove(request.key, id);
    await sink.emit(event);
  }

  /** Calls `onUserMessage`. A message that it does not let through is dropped; the run goes on without it. */
  private async replacementOf(
    id: string,
    message: Content,
    { root, cancellation }: Invocation,
  ): Promise<Replacement | undefined> {
    const { request, setting } = this.run;
    const { onUserMessage } = setting.hooks;
    if (!onUserMessage) return NOTHING;
    try {
      return await onUserMessage(message, root);
    } catch (error) {
      if (cancellation.isCancelled) return undefined;
      setting.services.logger.warn('a message to a run was refused by a callback', { error });
      await setting.mail.drop(request.key, id, error);
      return undefined;
    }
  }

  /** Acts on what does not wait for a model call: a message in place of the run, and all that a live session takes. */
  private async lookThrough(): Promise<void> {
    const { request, setting } = this.run;
    const { key, live } = request;
    try {
      if (live) {
        for (const letter of await setting.mail.letters(key)) this.pass(live, letter);
      } else await this.lookForInstead();
    } catch (error) {
      setting.services.logger.warn('the mail of a run could not be read', {
        sessionId: key.sessionId,
        error,
      });
    }
  }

  /** A message in the place of the run ends it. */
  private async lookForInstead(): Promise<void> {
    const { invocation, request, setting, start } = this.run;
    if (!start || !invocation) return;
    const [first] = await setting.mail.unread(invocation.session);
    if (first?.kind !== 'message' || first.when !== 'instead') return;
    void setting.mail.begin(request.key, first);
    this.run.giveWay();
  }

  private pass(live: OpenSession, letter: Letter): void {
    const { id, kind, when } = letter;
    if (this.passed.has(id) || live.isClosing) return;
    if (kind === 'answer') void this.passAnswer(live, letter);
    else if (when === 'next' || !this.isOfRequester(letter)) return;
    else {
      if (when === 'instead') live.interrupt();
      live.postMessage(letter.message, id);
    }
    this.passed.add(id);
  }

  private async passAnswer(live: OpenSession, letter: Letter): Promise<void> {
    const { request, setting } = this.run;
    const { key } = request;
    try {
      await deliverAnswer({ live, run: this.run }, inputOf(key, letter));
      await setting.mail.remove(key, letter.id);
    } catch (error) {
      await setting.mail.refuse(key, letter.id, error);
    }
  }

  /** A run acts for who began it: what others say is not said in that name. */
  private isOfRequester({ by }: Letter): boolean {
    const { request, invocation } = this.run;
    const requester = invocation?.requester ?? request.answerer.answering.principal;
    return isSameJson(toPrincipal(by ?? request.key.userId, 'mail'), requester);
  }
}

const NOTHING: Replacement = Object.freeze({ content: undefined, actions: undefined });

/** True if the store has the message of this mail already. */
export function isTaken(error: unknown, id: string): boolean {
  if (!AdornError.is(error) || error.code !== 'REQUEST_NOT_PENDING') return false;
  return 'requestId' in error && error.requestId === consumedAs({ id });
}
